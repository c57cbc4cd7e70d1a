/** Pages below /bot/ whose own id is optional: the word is no bot's id. */
const PATHS = [
  /^\/bot\/dialogtask\/([^/]+)/,
  /^\/bot\/settings\/[^/]+\/([^/]+)/,
  /^\/bot\/(?!(?:search|new|dialogtask|settings)\/?$)([^/]+)\/?$/,
]

/** The bot that an address lies in: from its path, else from its `pid`. */
export const botOfAddress = (path: string, search: string): string | undefined => {
  for (const pattern of PATHS) {
    const id = pattern.exec(path)?.[1]
    if (id !== undefined) return id
  }
  return new URLSearchParams(search).get('pid') ?? undefined
}
