import type { Answer, Client } from './harness.ts'

/** Sends a file to a path as a browser does. */
export const sendFile = (
  client: Client,
  path: string,
  content: string | Uint8Array<ArrayBuffer>,
  name = 'contatos.csv',
): Promise<Answer> => {
  const body = new FormData()
  body.append('file', new Blob([content]), name)
  return client.send('POST', path, { body })
}

const ENDED = ['succeeded', 'partial', 'failed', 'cancelled']

/** An upload once it has ended. */
export const endedUpload = async (client: Client, id: string, ms = 30_000): Promise<Answer['body']> => {
  for (const end = Date.now() + ms; ; ) {
    const { body } = await client.get(`/campaignupload/${id}`)
    if (ENDED.includes(String(body.status))) return body
    if (Date.now() > end) throw new Error(`upload ${id} does not end: ${JSON.stringify(body)}`)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

/** A file of one contact, taken in by a profile. Answers the id of the upload. */
export const uploadOf = async (client: Client, profile: string, name = 'contatos'): Promise<string> => {
  const path = `/campaignuploadprofile/${profile}/upload`
  const { status, text, body } = await sendFile(client, path, `phone;nome\n11 98765-0001;${name}\n`, `${name}.csv`)
  if (status !== 202) throw new Error(text)
  await endedUpload(client, body.id)
  return body.id
}
