interface Opened {
  readonly conversation: string
  readonly token: string
}

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

/** Opens a web chat of a person named Ana, says these words one after the other, and answers the conversation's id. */
export const openChat = async (
  origin: string,
  channel: string,
  words: readonly string[] = [],
  more: object = {},
): Promise<string> => {
  const send = async (path: string, body: object, token = ''): Promise<Opened> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const answer = await fetch(origin + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(await answer.text())
    return (await answer.json()) as Opened
  }
  const { conversation, token } = await send(`/chat/${channel}/conversations`, { user: { name: 'Ana' }, ...more })
  const messages = `/chat/conversations/${conversation}/messages`
  /** Waits until the turn ends. */
  const settle = async (): Promise<void> => {
    const page = await fetch(`${origin}${messages}?after=`, { headers: { authorization: `Bearer ${token}` } })
    const { state } = (await page.json()) as { readonly state: string }
    if (state !== 'active') return
    await pause(20)
    await settle()
  }
  await settle()
  for (const text of words) {
    await send(messages, { id: crypto.randomUUID(), type: 'text', text }, token)
    await settle()
  }
  return conversation
}
