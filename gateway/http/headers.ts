import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv6 } from 'node:net'
import helmet from '@fastify/helmet'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import Fastify from 'fastify'
import type { Settings } from '#schemas/settings.ts'
import { SCHEMA_CONTROLLER } from './handle.ts'

/** A browser that opens a file runs no code of it; it plays a sound or a video, loaded from the same address. */
export const FILE_SANDBOX = "default-src 'none'; media-src 'self'; style-src 'unsafe-inline'; sandbox"

/** The same for every answer, so helmet is asked once and not with each request. */
export const addHeaders = async (app: FastifyInstance, settings: Settings): Promise<void> => {
  const headers = await headersOf(settings)
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}

/** Allows inline styles (the console's components create them at run time), but no inline scripts. */
const headersOf = async (settings: Settings): Promise<Readonly<Record<string, string>>> => {
  const secure = settings.PUBLIC_URL?.startsWith('https:') === true
  const reports = settings.METABASE_URL === undefined ? [] : [new URL(settings.METABASE_URL).origin]
  const asked = Fastify({ schemaController: SCHEMA_CONTROLLER })
  await asked.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        scriptSrcAttr: ["'none'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:', 'https:'],
        mediaSrc: ["'self'", 'blob:', 'https:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        workerSrc: ["'self'", 'blob:'],
        frameSrc: reports.length === 0 ? ["'none'"] : reports,
        frameAncestors: ["'none'"],
        objectSrc: ["'none'"],
        baseUri: ["'self'"],
        formAction: ["'self'"],
        ...(secure ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    hsts: secure,
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
  })
  asked.get('/', async (_request, reply) => reply.raw.getHeaders())
  return (await asked.inject('/')).json()
}

/** A name that people gave, safe in a header (RFC 6266). */
export const contentDisposition = (kind: 'attachment' | 'inline', name: string): string => {
  const plain = name.replace(/[^\w.-]+/g, '_')
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, percent)}`
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}

/** Whether the caller has this revision already and says so: `If-None-Match`, one or a list, weak ones as well, or `*`. */
export const isKnownRevision = (request: FastifyRequest, revision: number): boolean => {
  const value = request.headers['if-none-match']
  if (value === undefined) return false
  const tags = value.split(',').map(tag => tag.trim().replace(/^W\//, ''))
  return tags.includes(`"${revision}"`) || tags.includes('*')
}

/** Address that an upgrade came from, as Fastify finds it for a request: behind trusted proxies, the nearest one that is not theirs. */
export const clientAddress = (proxies: readonly string[]): ((request: IncomingMessage) => string) => {
  const trusted = new BlockList()
  for (const proxy of proxies) {
    const [address = '', prefix] = proxy.split('/')
    const family = familyOf(address)
    if (prefix === undefined) trusted.addAddress(address, family)
    else trusted.addSubnet(address, Number(prefix), family)
  }
  const isTrusted = (address: string) => isIP(address) !== 0 && trusted.check(address, familyOf(address))
  return ({ socket, headers }) => {
    const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',')
    let address = unmapped(socket.remoteAddress ?? '')
    for (let next = forwarded.pop(); next !== undefined && isTrusted(address); next = forwarded.pop()) {
      if (next.trim() !== '') address = unmapped(next.trim())
    }
    return address
  }
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')
/** An IPv4 address that is written as IPv6 in its usual form. */
export const unmapped = (address: string) => /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address

/** Key of an address for limits: an IPv6 network of 64 bits is one source, an IPv4 address written as IPv6 is itself. */
export const sourceOf = (address: string): string => {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':'))
  const [left, right] = [groups(head), groups(tail ?? '')]
  const all =
    tail === undefined ? left : [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right]
  return all
    .slice(0, 4)
    .map(group => Number.parseInt(group, 16).toString(16))
    .join(':')
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']
const WILDCARD = ['0.0.0.0', '[::]']

/**
 * Whether an `Origin` is this console's own. `publicUrl` decides; a loopback address goes by any of its names, and a
 * gateway that listens on every address without a PUBLIC_URL takes the name it was called by.
 */
export const isOwnOrigin = (origin: string, publicUrl: string, headers: IncomingHttpHeaders): boolean => {
  const own = new URL(publicUrl)
  const given = URL.parse(origin)
  if (given === null || given.protocol !== own.protocol) return false
  if (given.host === own.host) return true
  if (LOOPBACK.includes(own.hostname)) return LOOPBACK.includes(given.hostname) && given.port === own.port
  return WILDCARD.includes(own.hostname) && given.host === headers.host
}
