import type { Client } from '#test/api/harness.ts'

export const APP_SECRET = 'secret-of-the-app'

/** A started bot with a WhatsApp channel whose calls are signed, and a web chat. */
export const openChannels = async (admin: Client) => {
  const bot = await admin.create('bot', { name: 'Bia' })
  const signed = await admin.create('channel', {
    ...{ bot, name: 'WhatsApp', type: 'whatsapp_meta', channel_verify_token: 'verify', app_secret: APP_SECRET },
    ...{ account_id: '104', auth_token: 'auth', sender_number: '5511999990000', enable: true },
  })
  const chat = await admin.create('channel', {
    ...{ bot, name: 'Site', type: 'webchat', enable: true, channel_verify_token: 'secret-1' },
  })
  await admin.post(`/bot/${bot}/start`)
  return { bot, signed, chat }
}

type Headers = Readonly<Record<string, string>>

/** Calls without a session, and conversations in a web chat. */
export const callerOf = (origin: string, chat: string) => {
  const post = (path: string, body: BodyInit, headers: Headers = {}) =>
    fetch(`${origin}${path}`, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })
  const open = async (headers: Headers, body: object = {}) => {
    const answer = await post(`/chat/${chat}/conversations`, JSON.stringify(body), headers)
    return { status: answer.status, body: (await answer.json()) as { conversation: string; token: string } }
  }
  const say = (conversation: string, token: string, headers: Headers, id: string) => {
    const path = `/chat/conversations/${conversation}/messages`
    return post(path, JSON.stringify({ id, text: 'oi' }), { ...headers, authorization: `Bearer ${token}` })
  }
  return { post, open, say }
}
