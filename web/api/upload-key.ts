/** Keys of uploads that got no answer, by address and file. */
const unanswered = new Map<string, string>()
const MAX_KEPT = 100

const nameOf = (url: string, { name, size, lastModified }: File): string =>
  JSON.stringify([url, name, size, lastModified])

/** Idempotency key of an upload. The same file again after a cut connection has the same: it is not stored twice. */
export const uploadKey = (url: string, file: File): string => {
  const name = nameOf(url, file)
  const key = unanswered.get(name) ?? crypto.randomUUID()
  unanswered.delete(name)
  unanswered.set(name, key)
  const [oldest] = unanswered.keys()
  if (unanswered.size > MAX_KEPT && oldest !== undefined) unanswered.delete(oldest)
  return key
}

/** The server has answered: the same file again is another upload. */
export const endUploadKey = (url: string, file: File): void => {
  unanswered.delete(nameOf(url, file))
}
