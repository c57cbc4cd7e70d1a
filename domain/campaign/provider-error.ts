import { classifyGraphError, type SendOutcome } from './delivery.ts'

/** Classes of providers' codes about template messages. */
export type ErrorClass =
  | 'throttle'
  | 'transient'
  | 'cap'
  | 'recipient'
  | 'optedout'
  | 'template'
  | 'account'
  | 'window'
  | 'defect'

type Codes = Readonly<Partial<Record<ErrorClass, readonly string[]>>>

/** Codes by provider, from their documentation. Codes of Meta pass through Gupshup unchanged. */
const CODES: Readonly<Record<string, Codes>> = {
  whatsapp_gupshup: {
    transient: ['500', '4001', '4002'],
    recipient: ['1002'],
    optedout: ['1012'],
    template: ['1010', '1011'],
    account: ['1003'],
    window: ['470', '1004', '1005', '1006', '1007', '1008'],
  },
  whatsapp_twilio: {
    throttle: ['20429', '63018'],
    transient: ['63012', '63021'],
    cap: ['63049'],
    recipient: ['21211', '63003', '63024', '63032'],
    optedout: ['21610'],
    template: ['21655', '21656', '63005', '63013', '63019', '63027', '63028', '63040', '63041', '63042'],
    account: ['20003', '20005', '21212', '21606', '30002', '63007', '63020'],
    window: ['63016'],
  },
  whatsapp_infobip: {
    throttle: ['TOO_MANY_REQUESTS'],
    recipient: ['REJECTED_DESTINATION', 'REJECTED_DESTINATION_NOT_REGISTERED', 'EC_INVALID_DESTINATION_ADDRESS'],
    account: ['UNAUTHORIZED', 'FORBIDDEN', 'REJECTED_NOT_ENOUGH_CREDITS', 'REJECTED_SENDER'],
    window: ['EC_24_HOURS_WINDOW_EXCEEDED'],
  },
  whatsapp_zenvia: {
    template: ['NOT_FOUND'],
    account: ['AUTHENTICATION_ERROR'],
  },
  blip: {
    recipient: ['blip.42'],
    account: ['blip.61'],
  },
}

/** Blip numbers its reasons by tens: 1x session, 3x authorization, 4x routing. */
const BLIP_TENS: Readonly<Record<string, ErrorClass>> = { '1': 'account', '3': 'account', '4': 'transient' }

const BY_CODE: ReadonlyMap<string, ReadonlyMap<string, ErrorClass>> = new Map(
  Object.entries(CODES).map(([provider, codes]) => [
    provider,
    new Map(Object.entries(codes).flatMap(([name, list]) => list.map(code => [code, name as ErrorClass] as const))),
  ]),
)

const GRAPH_CODE = /^\d{1,9}$/u

/** Codes of other providers never equal a code of Meta, except those of Gupshup, which begin below 10,000. */
const META_PASSES: ReadonlySet<string> = new Set(['whatsapp_meta', 'whatsapp_360dialog', 'whatsapp_gupshup', 'blip'])

/** Class of a code that is no code of Meta; undefined for codes of Meta. An unknown code is a defect. */
const errorClassOf = (provider: string, code: string): ErrorClass | undefined => {
  const known = BY_CODE.get(provider)?.get(code)
  if (known !== undefined) return known
  if (code === 'http.401' || code === 'http.402' || code === 'http.403') return 'account'
  if (code === 'http.404') return 'template'
  if (code === 'http.429') return 'throttle'
  // A look-up before the send: nothing was sent.
  if (/^http\.5\d\d$/u.test(code)) return 'transient'
  const tens = /^blip\.(\d)\d$/u.exec(code)?.[1]
  if (tens !== undefined) return BLIP_TENS[tens] ?? 'defect'
  return META_PASSES.has(provider) && GRAPH_CODE.test(code) ? undefined : 'defect'
}

const MAX_TRANSIENT = 5

const outcomeOf = (found: ErrorClass, reason: string): SendOutcome => {
  switch (found) {
    case 'throttle':
      return { kind: 'again', reason, most: Number.POSITIVE_INFINITY, slow: true }
    case 'transient':
      return { kind: 'again', reason, most: MAX_TRANSIENT, slow: false }
    case 'template':
    case 'account':
      return { kind: 'pause', reason }
    case 'cap':
    case 'recipient':
      return { kind: 'failed', reason, isDefect: false, stopped: false }
    case 'optedout':
      return { kind: 'failed', reason, isDefect: false, stopped: true }
    case 'window':
    case 'defect':
      return { kind: 'failed', reason, isDefect: true, stopped: false }
    default:
      return found satisfies never
  }
}

/** Outcome of a provider's code for the recipient and for the run. */
export const classifyProviderError = (provider: string, code: string): SendOutcome => {
  const found = errorClassOf(provider, code)
  return found === undefined ? classifyGraphError(Number(code)) : outcomeOf(found, code)
}

const META_CAP = '131049'

/** Whether a provider refused because the person got enough marketing: it is tried again after a day at the earliest. */
export const isCapReason = (reason: string): boolean => reason === META_CAP || reasonClass(reason) === 'cap'

/** Class of a stored reason, whose provider is not known; undefined for reasons of ours and codes of Meta. */
export const reasonClass = (reason: string): ErrorClass | undefined => {
  for (const codes of BY_CODE.values()) {
    const found = codes.get(reason)
    if (found !== undefined) return found
  }
  return /^(?:http|blip)\.\d/u.test(reason) ? errorClassOf('', reason) : undefined
}
