import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject } from '#schemas/event.ts'
import { object, objects, words } from './whatsapp/wire.ts'

export const TELEGRAM_TOKEN = '123456789:AAEabcdefghijklmnopqrstuvwxyz012345'
/** Id of the bot that the token names. */
export const TELEGRAM_BOT = '123456789'

interface TelegramRequest {
  readonly method: string
  readonly body: JsonObject
  /** Bytes of an uploaded file. */
  readonly file?: Buffer
}

interface TelegramFault {
  readonly status: number
  readonly description: string
  readonly parameters?: JsonObject
}

/** A form of text fields and one file. */
const formOf = (raw: Buffer, type: string): Omit<TelegramRequest, 'method'> => {
  const mark = `--${/boundary=(.+)$/u.exec(type)?.[1] ?? ''}`
  const body: Record<string, string> = {}
  let file: Buffer | undefined
  for (const part of raw.toString('latin1').split(mark)) {
    const [head = '', ...rest] = part.split('\r\n\r\n')
    const content = Buffer.from(rest.join('\r\n\r\n').replace(/\r\n$/u, ''), 'latin1')
    const name = /name="([^"]+)"/u.exec(head)?.[1]
    if (name === undefined) continue
    if (!head.includes('filename=')) body[name] = content.toString()
    else {
      file = content
      body[name] = Buffer.from(/filename="([^"]*)"/u.exec(head)?.[1] ?? '', 'latin1').toString()
    }
  }
  return { body, ...(file === undefined ? {} : { file }) }
}

/** The limits of the Bot API; the description of its refusal. */
const faultOf = ({ body }: TelegramRequest): string | undefined => {
  const buttons = objects(object(body.reply_markup).inline_keyboard).length
  const rows = object(body.reply_markup).inline_keyboard
  const pressed = Array.isArray(rows) ? rows.flatMap(objects).map(button => words(button.callback_data)) : []
  if (words(body.text).length > 4096) return 'message is too long'
  if (words(body.caption).length > 1024) return 'message caption is too long'
  if (pressed.some(data => Buffer.byteLength(data) > 64) || buttons > 100) return 'BUTTON_DATA_INVALID'
  return words(body.chat_id) === '' ? 'chat_id is empty' : undefined
}

/** A server of the Bot API for one bot: it takes its calls, and calls the webhook that it was given. */
export const startTelegram = async () => {
  const requests: TelegramRequest[] = []
  const files = new Map<string, Buffer>()
  /** Answers of the next messages. */
  const faults: TelegramFault[] = []
  const hook = { url: '', secret: '' }
  const state = { token: TELEGRAM_TOKEN, lastError: '', hookError: '', updates: 0, messages: 0 }

  const json = (response: ServerResponse, status: number, body: JsonObject) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  const done = (response: ServerResponse, result: JsonObject | boolean) => json(response, 200, { ok: true, result })
  const refuse = (response: ServerResponse, { status, description, parameters }: TelegramFault) =>
    json(response, status, {
      ...{ ok: false, error_code: status, description },
      ...(parameters === undefined ? {} : { parameters }),
    })

  const answer = (response: ServerResponse, request: TelegramRequest) => {
    const { method, body } = request
    switch (method) {
      case 'getMe':
        return done(response, { id: Number(TELEGRAM_BOT), is_bot: true, first_name: 'Lume', username: 'lume_bot' })
      case 'setWebhook':
        if (state.hookError !== '') return refuse(response, { status: 400, description: state.hookError })
        Object.assign(hook, { url: words(body.url), secret: words(body.secret_token) })
        return done(response, true)
      case 'getWebhookInfo':
        return done(response, {
          url: hook.url,
          pending_update_count: state.lastError === '' ? 0 : 1,
          ...(state.lastError === ''
            ? {}
            : { last_error_date: Math.floor(Date.now() / 1000), last_error_message: state.lastError }),
        })
      case 'getFile': {
        const id = words(body.file_id)
        return files.has(id)
          ? done(response, { file_id: id, file_path: `photos/${id}` })
          : refuse(response, { status: 400, description: 'Bad Request: invalid file_id' })
      }
      case 'sendChatAction':
        return done(response, true)
      default: {
        const fault = faults.shift()
        if (fault !== undefined) return refuse(response, fault)
        const broken = faultOf(request)
        if (broken !== undefined) return refuse(response, { status: 400, description: `Bad Request: ${broken}` })
        state.messages += 1
        const chat = { id: Number(words(body.chat_id)), type: 'private' }
        return done(response, { message_id: state.messages, chat, date: Math.floor(Date.now() / 1000) })
      }
    }
  }
  const take = async (incoming: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const path = incoming.url ?? ''
    const file = files.get(decodeURIComponent(path.split('/').at(-1) ?? ''))
    if (path.startsWith(`/file/bot${state.token}/photos/`) && file !== undefined) return response.end(file)
    const [, token, method = ''] = /^\/bot([^/]+)\/(\w+)$/u.exec(path) ?? []
    if (token !== state.token) return refuse(response, { status: 401, description: 'Unauthorized' })
    const type = incoming.headers['content-type'] ?? ''
    const raw = Buffer.concat(chunks)
    const given = type.startsWith('multipart/') ? formOf(raw, type) : { body: JSON.parse(raw.toString() || '{}') }
    const request: TelegramRequest = { method, ...given }
    requests.push(request)
    return answer(response, request)
  }
  const server = createServer((request, response) => void take(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  /** Calls the webhook with an update, at its path on `origin`. */
  const update = async (origin: string, body: JsonObject, secret = hook.secret) => {
    state.updates += 1
    return fetch(origin + new URL(hook.url).pathname, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': secret },
      body: JSON.stringify({ update_id: state.updates, ...body }),
    })
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hook,
    state,
    files,
    faults,
    requests,
    update,
    /** Calls with a method, of one chat if it is named. */
    calls: (method: string, chat?: string) =>
      requests.filter(one => one.method === method && (chat === undefined || words(one.body.chat_id) === chat)),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
