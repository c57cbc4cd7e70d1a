import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ReadModels, RowOf } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import type { Language } from '#schemas/language.ts'
import en from '#schemas/locales/en/webchat.json' with { type: 'json' }
import es from '#schemas/locales/es/webchat.json' with { type: 'json' }
import pt from '#schemas/locales/pt/webchat.json' with { type: 'json' }
import { PUBLIC_PAGE, type PublicRoute, requestValue, Unproven } from '../http/public-route-checks.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { readChatLanguages, readChatLook } from './chat-parts.ts'

/** Unknown channels that one client may ask for in a minute: ids can not be found by trying. */
const MAX_MISSES = 60
/** s; a change of the chat interface shows after it. */
const LOOK_MAX_AGE = 30
const PICTURE_MAX_AGE = 86_400
export const TEXTS = { en, pt, es }

interface ChannelParams {
  readonly channel: string
}

interface WebChat {
  readonly channel: RowOf<'channel'>
  readonly bot: RowOf<'bot'>
}

/** An enabled web chat and its bot. */
const webChatOf = async (read: ReadModels, id: string): Promise<WebChat | undefined> => {
  const channel = await read.detail(SYSTEM_SCOPE, 'channel', id)
  if (channel?.enable !== true || channel.type !== 'webchat') return undefined
  const bot = await read.detail(SYSTEM_SCOPE, 'bot', channel.bot)
  return bot === undefined ? undefined : { channel, bot }
}

export const escaped = (text: string): string => text.replace(/[&<>"']/g, sign => `&#${sign.charCodeAt(0)};`)

export const page = (language: Language, title: string, body: string): string =>
  `<!doctype html><html lang="${language}"><head><meta charset="utf-8">` +
  '<meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover">' +
  `<meta name="robots" content="noindex"><link rel="icon" href="data:,"><title>${escaped(title)}</title><style>:root{color-scheme:light dark}` +
  'body{font:16px/1.5 system-ui,Arial,sans-serif;margin:0;min-height:100dvh;display:grid;place-items:center}' +
  'h1{font-size:20px;font-weight:600}.quiet{position:absolute;overflow:hidden;clip-path:inset(50%);width:1px;height:1px}</style>' +
  `</head><body>${body}</body></html>`

/** The page runs only the widget; the widget's styles are adopted, the page's own are inline. */
export const policyOf = (router: string | undefined): string => {
  const origins = router === undefined ? "'self'" : `'self' ${router} ${router.replace(/^http/, 'ws')}`
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'unsafe-inline'",
    `connect-src ${origins}`,
    'img-src https: http: data: blob:',
    'media-src https: http: blob:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Any site may hold the widget, so any site may read what the widget reads without a token. */
const openToSites = (reply: FastifyReply): FastifyReply =>
  reply.header('access-control-allow-origin', '*').header('cross-origin-resource-policy', 'cross-origin')

interface ShownPicture {
  /** Ids of the pictures of a look. */
  readonly pictures: readonly string[]
  readonly id: string
  readonly cache: 'public' | 'private'
}

/** Sends a picture of a look; refuses all other files. */
export const sendPicture = async (
  reply: FastifyReply,
  storage: Pick<Parts['storage'], 'read'>,
  { pictures, id, cache }: ShownPicture,
): Promise<FastifyReply> => {
  const file = pictures.includes(id) ? await storage.read(id) : undefined
  if (file === undefined || !file.file.type.startsWith('image/')) return refuse(reply, { code: 'entity.notfound' })
  return reply
    .header('cache-control', `${cache}, max-age=${PICTURE_MAX_AGE}`)
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('x-content-type-options', 'nosniff')
    .type(file.file.type)
    .send(file.content)
}

const routerOf = (address: string | undefined): string | undefined =>
  address === undefined ? undefined : new URL(address).origin

/** Checks of what the closed chat shows. */
const chatPageDoors = (app: FastifyInstance, read: ReadModels, router: string | undefined) => {
  const chats = requestValue<WebChat>()
  const failures = { name: 'chat page', most: MAX_MISSES }
  const find = async (request: FastifyRequest) => {
    const found = await webChatOf(read, (request.params as ChannelParams).channel.toWellFormed())
    if (found !== undefined) chats.set(request, found)
    return found
  }
  const door: PublicRoute = {
    failures,
    isLight: true,
    async target(request, reply) {
      openToSites(reply)
      if ((await find(request)) === undefined) throw new Unproven({ code: 'entity.notfound' })
      return undefined
    },
  }
  const pageHead = (reply: FastifyReply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', policyOf(router))
      .header('cache-control', 'no-cache')
      .header('vary', 'accept-language')
  const pageDoor: PublicRoute = {
    failures,
    isLight: true,
    async target(request, reply) {
      if ((await find(request)) !== undefined) return undefined
      app.openDoor.fail(request)
      const { missing } = TEXTS[request.language]
      pageHead(reply)
        .code(404)
        .send(page(request.language, missing, `<main><h1>${missing}</h1></main>`))
      return undefined
    },
  }
  return { chats, door, pageDoor, pageHead }
}

/**
 * GET /chat/widget.js, the script of the web chat; /chat/{channel}, a page with the open chat; /chat/{channel}/look and
 * /picture/{id}, data of the closed chat. Registered after the console's files.
 */
export const addChatPage = (app: FastifyInstance, { read, storage, settings }: Parts): void => {
  const router = routerOf(settings.BOT_ROUTER_URL)
  const { chats, door, pageDoor, pageHead } = chatPageDoors(app, read, router)

  app.get('/chat/widget.js', { config: { door: PUBLIC_PAGE } }, (_request, reply) =>
    openToSites(reply).header('x-content-type-options', 'nosniff').sendFile('chat/widget.js'),
  )

  app.get<{ Params: ChannelParams }>('/chat/:channel', { config: { door: pageDoor } }, async (request, reply) => {
    const { channel } = request.params
    const { bot } = chats.of(request)
    const [{ look }, languages] = await Promise.all([
      readChatLook(read, bot, { channel }),
      readChatLanguages(read, bot),
    ])
    const language = languages.find(each => each === request.language) ?? languages[0]
    const title = look.header.title || TEXTS[language].chat
    const elsewhere = router === undefined ? '' : ` data-router="${escaped(router)}"`
    const told = `data-channel="${escaped(channel)}" data-language="${language}"`
    const script = `<script src="/chat/widget.js" ${told} data-open${elsewhere}></script>`
    const body = `<main><h1 class="quiet">${escaped(title)}</h1></main>${script}`
    return pageHead(reply).send(page(language, title, body))
  })

  app.get<{ Params: ChannelParams }>('/chat/:channel/look', { config: { door } }, async (request, reply) => {
    reply.header('cache-control', `public, max-age=${LOOK_MAX_AGE}`)
    const { channel } = request.params
    const { bot } = chats.of(request)
    const [{ look }, languages] = await Promise.all([
      readChatLook(read, bot, { channel }),
      readChatLanguages(read, bot),
    ])
    return { look, languages }
  })

  app.get<{ Params: ChannelParams & { id: string } }>(
    '/chat/:channel/picture/:id',
    { config: { door } },
    async (request, reply) => {
      const { channel, id } = request.params
      const { pictures } = await readChatLook(read, chats.of(request).bot, { channel })
      return sendPicture(reply, storage, { pictures, id, cache: 'public' })
    },
  )
}
