import { readAgentEvents } from '#domain/agent-event.ts'
import type { AgentProfile, ProfileCall } from '#domain/agent-profile.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject, listOf, objectOf, scalarText, trimmedText } from '#schemas/json.ts'
import { accepted, type RefusalCode, type Result, refused } from '#schemas/refusal.ts'
import { splitText } from '../../channel/degrade.ts'
import { isSameSecret, isSignedBody } from '../../channel/shared/signature.ts'
import type { SystemWire } from '../../outbound/system-wire.ts'
import {
  type AgentChat,
  type AgentCheck,
  type AgentEvent,
  type AgentLink,
  type AgentMessage,
  type AgentRequest,
  type AgentStep,
  type AgentSystem,
  numberOf,
  withFiles,
} from '../agent-port.ts'
import { type EvaluateRule, openProfileCaller, type ProfileCaller, type RuleInputs } from './profile-call.ts'

/** The chat as later calls know it, and the members that the system gave. Sealed in the conversation. */
interface ProfileLink {
  readonly chat: JsonObject
  readonly link: JsonObject
}

const linkOf = (given: AgentLink): ProfileLink => ({ chat: objectOf(given.chat), link: objectOf(given.link) })

const inputsOf = ({ chat, link }: ProfileLink, more: RuleInputs = {}): RuleInputs => ({
  chat,
  link,
  queue: chat.queue ?? '',
  ...more,
})

const chatInput = (chat: AgentChat): JsonObject => chat as unknown as JsonObject

/** A chat without its transcript, which is sent once. */
const keptChat = ({ transcript: _, said: __, ...chat }: AgentChat): JsonObject => chat as unknown as JsonObject

/** Lets at most `most` pieces of work run at once. */
const workers = (most: number) => {
  let free = most
  const waiting: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (free > 0) free -= 1
    else await new Promise<void>(resolve => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free += 1
      else next()
    }
  }
}

interface Parts {
  readonly profile: AgentProfile
  readonly fields: JsonObject
  readonly caller: ProfileCaller
}

/** The step of an answer whose rule adds members to the link. */
const linked = async (
  { caller }: Parts,
  held: ProfileLink,
  name: string,
  rule: string | undefined,
  answer: Json,
): Promise<Result<ProfileLink>> => {
  if (rule === undefined) return accepted(held)
  const more = await caller.rule(name, rule, inputsOf(held, { answer }))
  if (!more.ok) return more
  return isObject(more.value) ? accepted({ ...held, link: { ...held.link, ...more.value } }) : accepted(held)
}

/** Asks a call that may answer whether something was done. */
const asked = async (
  { caller }: Parts,
  name: string,
  call: ProfileCall & { readonly answer: string },
  inputs: RuleInputs,
): Promise<Result<Json>> => {
  const answer = await caller.call(name, call, inputs)
  return answer.ok ? caller.rule(`${name}.answer`, call.answer, { ...inputs, answer: answer.value }) : answer
}

/** Sends one part of a message, or one file of it; the link of the answer. */
const sendMessage = async (
  parts: Parts,
  held: ProfileLink,
  message: AgentMessage,
  isAgain: boolean,
): Promise<Result<ProfileLink>> => {
  const { profile, caller } = parts
  const { say } = profile
  const { id: key, text } = message
  const inputs = inputsOf(held, { message: { id: key, text, files: [] } })
  if (isAgain && typeof say.once === 'object') {
    const known = await asked(parts, 'say.once.find', say.once.find, inputs)
    if (!known.ok) return known
    if (known.value === true) return accepted(held)
  }
  const answer = await caller.call('say', say, inputs)
  return answer.ok ? linked(parts, held, 'say.link', say.link, answer.value) : answer
}

const send = async (
  parts: Parts,
  before: ProfileLink,
  { id: key, text, files }: AgentMessage,
  isAgain: boolean,
): Promise<Result<ProfileLink>> => {
  const { profile, caller } = parts
  let held = before
  const words = profile.file === undefined ? withFiles(text, files) : text
  for (const [at, part] of splitText(words, profile.limits.text).entries()) {
    const sent = await sendMessage(
      parts,
      held,
      { id: at === 0 ? key : `${key}-${at + 1}`, text: part, files: [] },
      isAgain,
    )
    if (!sent.ok) return sent
    held = sent.value
  }
  if (profile.file === undefined) return accepted(held)
  for (const [at, given] of files.entries()) {
    const inputs = inputsOf(held, { message: { id: `${key}-f${at + 1}`, text, files: [] }, file: { ...given } })
    const sent = await caller.call('file', profile.file, inputs)
    if (!sent.ok) return sent
  }
  return accepted(held)
}

const stepOf = (held: ProfileLink, before: ProfileLink, events: readonly AgentEvent[] = []): AgentStep => ({
  ...(held === before ? {} : { link: { ...held } }),
  ...(events.length === 0 ? {} : { events }),
})

type Opened = Result<AgentStep & { readonly link: AgentLink }>

/** Opens a chat with the call `open`. */
const openByCall = async (
  parts: Parts,
  open: NonNullable<AgentProfile['open']>,
  chat: AgentChat,
  isAgain: boolean,
): Promise<Opened> => {
  const { caller } = parts
  const inputs = { chat: chatInput(chat), link: {}, queue: chat.queue }
  if (isAgain && open.once === false) return refused('agent.unknown')
  if (isAgain && typeof open.once === 'object') {
    const found = await asked(parts, 'open.once.find', open.once.find, inputs)
    if (!found.ok) return found
    if (isObject(found.value) && Object.keys(found.value).length > 0)
      return accepted({ link: { chat: keptChat(chat), link: found.value } })
  }
  const answer = await caller.call('open', open, inputs)
  if (!answer.ok) return answer
  const link = await caller.rule('open.link', open.link, { ...inputs, answer: answer.value })
  if (!link.ok) return link
  return isObject(link.value) && Object.keys(link.value).length > 0
    ? accepted({ link: { chat: keptChat(chat), link: link.value } })
    : refused('agent.profile', { params: { rule: 'open.link' } })
}

/** Opens a chat with its first message. */
const openBySaying = async (parts: Parts, chat: AgentChat, isAgain: boolean): Promise<Opened> => {
  if (isAgain && parts.profile.say.once === false) return refused('agent.unknown')
  const held = { chat: keptChat(chat), link: { key: chat.key } }
  const first = { id: `${chat.key}-0`, text: chat.transcript.trim() || chat.said.trim() || '…', files: [] }
  const sent = await send(parts, held, first, isAgain)
  return sent.ok ? accepted({ link: { ...sent.value } }) : sent
}

/** ms between two questions for a place in the queue. */
const QUEUE_PAUSE_MS = 15_000
/** ms of a long poll beyond the time that the system holds it. */
const LONG_POLL_MARGIN_MS = 10_000
/** ms between two long polls, so that one that does not wait is not asked without end. */
const LONG_POLL_PAUSE_MS = 250

const openPolls = (parts: Parts) => {
  const { profile, caller, fields } = parts
  const { events, queue } = profile
  const limited = workers(numberOf(fields, 'number_of_job_workers', 100))
  /** ms since 1970 of the last question for a place, by the chat's key. */
  const placed = new Map<string, number>()

  const placeOf = async (held: ProfileLink): Promise<Result<readonly AgentEvent[]>> => {
    if (queue === undefined) return accepted([])
    const key = scalarText(held.chat.key)
    if (Date.now() - (placed.get(key) ?? 0) < QUEUE_PAUSE_MS) return accepted([])
    if (placed.size > 10_000) placed.clear()
    placed.set(key, Date.now())
    const place = await asked(parts, 'queue', queue, inputsOf(held))
    if (!place.ok) return place
    const position = place.value
    return accepted(
      typeof position === 'number' && Number.isInteger(position) && position > 0
        ? [{ kind: 'queued', id: `place ${position}`, position }]
        : [],
    )
  }
  return async (given: AgentLink, isWaiting = false): Promise<Result<AgentStep>> =>
    limited(async () => {
      const held = linkOf(given)
      const place = isWaiting ? await placeOf(held) : accepted([])
      if (!place.ok || events.by === 'webhook') return place.ok ? accepted(stepOf(held, held, place.value)) : place
      const timeout = events.by === 'longpoll' ? events.seconds * 1000 + LONG_POLL_MARGIN_MS : undefined
      const call = { ...events.call, ...(timeout === undefined ? {} : { timeout }) }
      const answer = await caller.call('events.call', call, inputsOf(held))
      if (!answer.ok) return answer
      const inputs = inputsOf(held, { answer: answer.value })
      const list = await caller.rule('events.list', events.list, inputs)
      if (!list.ok) return list
      const next = await linked(parts, held, 'events.cursor', events.cursor, answer.value)
      if (!next.ok) return next
      const isSame = JSON.stringify(next.value) === JSON.stringify(held)
      return accepted(stepOf(isSame ? held : next.value, held, [...place.value, ...readAgentEvents(list.value)]))
    })
}

/** Headers that carry secrets, which rules do not read. */
const SECRET_HEADERS = new Set(['authorization', 'cookie', 'proxy-authorization', 'x-parley-token'])

/** The events of a call by their chats: those without a key of their own belong to the chat of the call. */
const byChat = (
  key: string,
  value: Json,
): readonly { readonly key: string; readonly events: readonly AgentEvent[] }[] => {
  const all = value === null ? [] : Array.isArray(value) ? listOf(value) : [value]
  const ofChats =
    all.length === 0
      ? new Map([[key, all]])
      : Map.groupBy(all, event => (isObject(event) && scalarText(event.key)) || key)
  return [...ofChats].flatMap(([of, events]) => (of === '' ? [] : [{ key: of, events: readAgentEvents([...events]) }]))
}

const openWebhook = (
  { profile, fields, caller }: Parts,
  webhook: NonNullable<AgentProfile['webhook']>,
): Pick<AgentSystem, 'isProven' | 'isProvenByBody' | 'receive' | 'answer'> => {
  const secret = trimmedText(fields.verifytoken)
  const { verify } = webhook
  const proofHeader = (verify.scheme === 'header' ? verify.name : (verify.header ?? '')).toLowerCase()
  const isProven = ({ path, headers }: Omit<AgentRequest, 'body'>, bytes?: Uint8Array): boolean => {
    const given = headers[proofHeader] ?? ''
    if (verify.scheme === 'header') return isSameSecret(given, secret)
    if (verify.scheme === 'token')
      return isSameSecret(decoded(path.split('/').at(-1) ?? ''), secret) || isSameSecret(given, secret)
    return bytes !== undefined && isSignedBody(given, bytes, secret, verify)
  }
  const isProvenByBody = verify.scheme === 'hmac-sha256'
  return {
    isProven,
    ...(isProvenByBody ? { isProvenByBody } : {}),
    answer: webhook.answer,
    async receive({ body, ...head }) {
      if (!isProvenByBody && !isProven(head)) return refused('agent.signature')
      const headers = Object.entries(head.headers).filter(([name]) => name !== proofHeader && !SECRET_HEADERS.has(name))
      const inputs = { body, headers: Object.fromEntries(headers), query: Object.fromEntries(head.query) }
      const key = await caller.rule('webhook.key', webhook.key, inputs)
      if (!key.ok) return key
      const list = await caller.rule('events.list', profile.events.list, inputs)
      return list.ok ? accepted(byChat(scalarText(key.value), list.value)) : list
    },
  }
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

/** Calls after which a refusal says that the proof of the sender is wrong. */
const KEY_CODES: ReadonlySet<RefusalCode> = new Set(['agent.unauthorized'])

const check = async (parts: Parts, queue: string): Promise<readonly AgentCheck[]> => {
  const { profile, caller } = parts
  const signed = await caller.signIn()
  const checks: AgentCheck[] = [{ part: 'profile', result: accepted('') }]
  const hasToken = profile.auth.scheme === 'oauth2' || profile.auth.scheme === 'login'
  if (hasToken) checks.push({ part: 'credentials', result: signed.ok ? accepted('') : signed })
  if (!signed.ok || profile.available === undefined) return checks
  const there = await asked(parts, 'available', profile.available, { chat: null, link: {}, queue })
  if (!there.ok && there.refusal.code !== 'agent.nobody')
    return [...checks, { part: KEY_CODES.has(there.refusal.code) ? 'credentials' : 'system', result: there }]
  const isThere = there.ok && there.value === true
  return [
    ...checks,
    { part: 'system', result: accepted('') },
    { part: 'agents', result: isThere ? accepted('') : refused('agent.nobody') },
  ]
}

/** A system that its channel declares: the calls, and the rules that read its answers. */
export const openProfile = (
  profile: AgentProfile,
  fields: JsonObject,
  wire: SystemWire,
  evaluate: EvaluateRule,
): AgentSystem => {
  const caller = openProfileCaller({ profile, fields, wire, evaluate })
  const parts = { profile, fields, caller }
  const { available, open, say, typing, close, queue, events, webhook } = profile
  const isPolled = events.by !== 'webhook'
  const pollPause = events.by === 'poll' ? events.pause : isPolled ? LONG_POLL_PAUSE_MS : QUEUE_PAUSE_MS
  return {
    ...(available === undefined
      ? {}
      : {
          async available(wanted) {
            const there = await asked(parts, 'available', available, { chat: null, link: {}, queue: wanted })
            if (!there.ok) return there.refusal.code === 'agent.nobody' ? accepted(false) : there
            return accepted(there.value === true)
          },
        }),
    open: (chat, { isAgain }) =>
      open === undefined ? openBySaying(parts, chat, isAgain) : openByCall(parts, open, chat, isAgain),
    async say(link, message, { isAgain }) {
      if (isAgain && say.once === false) return accepted({})
      const held = linkOf(link)
      const sent = await send(parts, held, message, isAgain)
      return sent.ok ? accepted(stepOf(sent.value, held)) : sent
    },
    async close(link) {
      const closed = await caller.call('close', close, inputsOf(linkOf(link)))
      return closed.ok ? accepted({}) : closed
    },
    ...(typing === undefined
      ? {}
      : {
          async typing(link) {
            const told = await caller.call('typing', typing, inputsOf(linkOf(link)))
            return told.ok ? accepted({}) : told
          },
        }),
    ...(isPolled || queue !== undefined ? { poll: openPolls(parts), pollPause } : {}),
    ...(webhook === undefined || isPolled ? {} : openWebhook(parts, webhook)),
    fetchFile: url => caller.download(url),
    check: () => check(parts, trimmedText(fields.defaultqueue)),
  }
}
