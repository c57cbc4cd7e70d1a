import { PIXEL } from '#test/fixture/pixel.ts'
import type { Client } from './harness.ts'

/** An uploaded text file with this content, as a field can hold it. */
export const uploadText = async (
  client: Client,
  content: string,
): Promise<Readonly<Record<string, string | number>>> => {
  const form = new FormData()
  form.append('file', new Blob([content]), `${content}.txt`)
  const { status, text, body } = await client.send('POST', '/file', { body: form })
  if (status !== 201) throw new Error(text)
  return body as unknown as Readonly<Record<string, string | number>>
}

/** An uploaded picture, as a field can hold it. */
export const uploadPicture = async (
  client: Client,
  name: string,
): Promise<Readonly<Record<string, string | number>>> => {
  const form = new FormData()
  form.append('file', new Blob([PIXEL]), name)
  const { status, text, body } = await client.send('POST', '/file', { body: form })
  if (status !== 201) throw new Error(text)
  return body as unknown as Readonly<Record<string, string | number>>
}
