import { z } from 'zod'
import type { JsonObject } from '#schemas/event.ts'
import { trimmedText } from '#schemas/json.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import { isSameSecret } from '../../channel/shared/signature.ts'
import { baseOf, type SystemWire } from '../../outbound/system-wire.ts'
import {
  type AgentChat,
  type AgentCheck,
  type AgentEvent,
  type AgentLink,
  type AgentMessage,
  type AgentRequest,
  type AgentStep,
  agentOf,
  type OpenAgentSystem,
  readAnswer,
  withFiles,
} from '../agent-port.ts'

const MAX_TEXT = 10_000
/** Marks messages of this side, because the system reports them as well. */
const MARK = 'parley'

const signedIn = z.object({ token: z.string(), user: z.object({ _id: z.string() }) })
const messages = z.array(z.object({ attributes: z.record(z.string(), z.json()).nullish() }))
const people = z.array(z.string()).default([])
const payload = z.object({
  _id: z.string().nullish(),
  sender: z.string().nullish(),
  senderFullname: z.string().nullish(),
  text: z.string().nullish(),
  type: z.string().nullish(),
  metadata: z.object({ src: z.string().nullish(), name: z.string().nullish(), type: z.string().nullish() }).nullish(),
  attributes: z.record(z.string(), z.json()).nullish(),
  recipient: z.string().nullish(),
  request_id: z.string().nullish(),
  request: z.object({ request_id: z.string().nullish() }).nullish(),
  participants: people.nullish(),
  addedParticipants: people.nullish(),
  removedParticipants: people.nullish(),
})
const delivery = z.object({ timestamp: z.number().nullish(), payload, hook: z.object({ event: z.string() }) })

type Payload = z.output<typeof payload>

/** True for agents: neither the person who asks nor a bot of the project. */
const isAgent = (id: string): boolean => !id.startsWith('bot_') && id !== 'system'

const messageEvent = (said: Payload): readonly AgentEvent[] => {
  const { _id: id, sender, senderFullname, text, attributes, metadata } = said
  if (!id || attributes?.[MARK] !== undefined) return []
  const isInfo = trimmedText(attributes?.subtype).startsWith('info') || !isAgent(sender ?? 'system')
  const files = metadata?.src ? [{ name: metadata.name ?? 'file', type: metadata.type ?? '', url: metadata.src }] : []
  if (trimmedText(text) === '' && files.length === 0) return []
  return isInfo
    ? [{ kind: 'message', id, from: 'system', text: text ?? '' }]
    : [{ kind: 'message', id, from: 'agent', agent: agentOf(senderFullname), text: text ?? '', files }]
}

const participantEvents = (of: Payload, at: string): readonly AgentEvent[] => {
  const added = (of.addedParticipants ?? []).filter(isAgent)
  const removed = (of.removedParticipants ?? []).filter(isAgent)
  return [
    ...(removed.length > 0 ? [{ kind: added.length > 0 ? 'transferred' : 'left', id: `left ${at}` } as const] : []),
    ...(added.length > 0 ? [{ kind: 'joined', id: `joined ${added[0]}`, agent: agentOf('') } as const] : []),
  ]
}

const eventsOf = (event: string, of: Payload, at: string): readonly AgentEvent[] => {
  if (event === 'request.close') return [{ kind: 'closed', id: 'closed' }]
  if (event === 'request.participants.update') return participantEvents(of, at)
  if (event === 'request.create') return [{ kind: 'queued', id: 'queued' }]
  return event.startsWith('message.create') ? messageEvent(of) : []
}

/** The chat's key names the request in the project. */
const keyOf = ({ request_id: id, request, recipient }: Payload): string =>
  (id ?? request?.request_id ?? recipient ?? '').split('-').at(-1) ?? ''

/** Calls of one channel: those of the person use a token of the person. */
const openCalls = (fields: JsonObject, wire: SystemWire) => {
  const project = trimmedText(fields.channel_id)
  const base = baseOf(fields.url)
  const requestOf = ({ key }: AgentLink) => `${base}/${project}/requests/support-group-${project}-${key}`
  const withToken = (token: string) => [['authorization', token] as const]
  const isKnown = async (link: AgentLink, id: string): Promise<Result<boolean>> => {
    const url = `${requestOf(link)}/messages`
    const answer = await wire.call({ method: 'GET', url, headers: withToken(String(link.token)) })
    if (!answer.ok) return answer
    if (answer.value.status === 404) return accepted(false)
    const read = messages.safeParse(answer.value.body)
    if (!read.success) return wire.refusal(answer.value)
    return accepted(read.data.some(({ attributes }) => attributes?.[MARK] === id))
  }
  return {
    base,
    project,
    requestOf,
    withToken,
    async isOpen() {
      const url = `${base}/projects/${project}/isopen`
      const answer = readAnswer(z.object({ isopen: z.boolean() }), await wire.ask({ method: 'GET', url }))
      return answer.ok ? accepted(answer.value.isopen) : answer
    },
    async signIn(firstname: string) {
      const body = { id_project: project, firstname }
      return readAnswer(signedIn, await wire.ask({ method: 'POST', url: `${base}/auth/signinAnonymously`, body }))
    },
    async post(
      link: AgentLink,
      { id, text, files }: AgentMessage,
      more: JsonObject,
      isAgain: boolean,
    ): Promise<Result<AgentStep>> {
      if (isAgain) {
        const known = await isKnown(link, id)
        if (!known.ok || known.value) return known.ok ? accepted({}) : known
      }
      const body = {
        text: withFiles(text, files).slice(-MAX_TEXT) || '…',
        type: 'text',
        senderFullname: String(link.name),
        attributes: { subtype: '', [MARK]: id },
        ...more,
      }
      const url = `${requestOf(link)}/messages`
      const sent = await wire.ask({ method: 'POST', url, headers: withToken(String(link.token)), body })
      return sent.ok ? accepted({}) : sent
    },
  }
}

type Calls = ReturnType<typeof openCalls>

const open = async ({ signIn, post }: Calls, chat: AgentChat, isAgain: boolean) => {
  const { key, person, queue, fields, transcript, said } = chat
  const name = person.name || `Visitor ${key.slice(0, 6)}`
  const guest = await signIn(name)
  if (!guest.ok) return guest
  const link = { key, name, token: guest.value.token }
  const more = { ...(queue === '' ? {} : { departmentid: queue }), metadata: { ...fields } }
  const sent = await post(link, { id: `${key}o`, text: transcript || said, files: [] }, more, isAgain)
  return sent.ok ? accepted({ link }) : sent
}

/** Tiledesk server, API v3: the first message creates the request; subscriptions of the project deliver the events. */
export const openTiledesk: OpenAgentSystem = (fields, wire) => {
  const calls = openCalls(fields, wire)
  const { base, project, requestOf, withToken } = calls
  const [user, password] = [trimmedText(fields.user), trimmedText(fields.channel_password)]
  const basic = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  const secrets = trimmedText(fields.verifytoken).split(/[\s,;]+/u)
  const isProven = ({ headers }: Omit<AgentRequest, 'body'>) =>
    secrets.some(secret => isSameSecret(headers['x-hook-secret'] ?? '', secret))
  return {
    available: calls.isOpen,
    open: (chat, { isAgain }) => open(calls, chat, isAgain),
    say: (link, said, { isAgain }) => calls.post(link, said, {}, isAgain),
    async close(link) {
      const [path, token] = user === '' ? ['closeg', String(link.token)] : ['close', basic]
      const url = `${requestOf(link)}/${path}`
      const closed = await wire.ask({ method: 'PUT', url, headers: withToken(token), body: {} })
      return closed.ok ? accepted({}) : closed
    },
    isProven,
    receive({ body, ...head }) {
      if (!isProven(head)) return refused('agent.signature')
      const read = delivery.safeParse(body)
      if (!read.success) return refused('request.unreadable')
      const { hook, payload: of, timestamp } = read.data
      const key = keyOf(of)
      return accepted(key === '' ? [] : [{ key, events: eventsOf(hook.event, of, String(timestamp ?? '')) }])
    },
    async check() {
      const isOpen = await calls.isOpen()
      const checks: AgentCheck[] = [{ part: 'system', result: isOpen.ok ? accepted('') : isOpen }]
      if (!isOpen.ok) return checks
      if (user !== '') {
        const url = `${base}/${project}/subscriptions`
        const listed = await wire.ask({ method: 'GET', url, headers: withToken(basic) })
        checks.push({ part: 'credentials', result: listed.ok ? accepted('') : listed })
      }
      checks.push({ part: 'agents', result: isOpen.value ? accepted('') : refused('agent.nobody') })
      return checks
    },
  }
}
