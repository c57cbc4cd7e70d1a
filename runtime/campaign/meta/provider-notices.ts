import { type Follower, follow } from '#commands/store/follow.ts'
import type { EventStore } from '#commands/store/port.ts'
import { messagingLimit } from '#domain/meta/account.ts'
import type { JsonObject, StoredEvent } from '#schemas/event.ts'
import { fieldText, objectOf, textOf } from '#schemas/json.ts'
import { giveNotice } from '../../alert/give-notice.ts'

const KINDS = {
  'template.approved': 'info',
  'template.rejected': 'warn',
  'template.paused': 'warn',
  'template.disabled': 'alert',
  'template.recategorized': 'warn',
  'metaaccount.qualitylow': 'alert',
  'metaaccount.qualitymedium': 'warn',
  'metaaccount.qualityhigh': 'info',
  'metaaccount.limitlowered': 'warn',
  'metaaccount.limitraised': 'info',
  'metaaccount.limitnone': 'info',
  'metaaccount.restricted': 'alert',
  'metaaccount.reinstated': 'info',
} as const satisfies Readonly<Record<string, 'alert' | 'warn' | 'info'>>

type Message = keyof typeof KINDS

interface Decision {
  readonly message: Message
  readonly params: JsonObject
}

const STATES: Readonly<Record<string, Message>> = {
  APPROVED: 'template.approved',
  REINSTATED: 'template.approved',
  UNARCHIVED: 'template.approved',
  REJECTED: 'template.rejected',
  PAUSED: 'template.paused',
  DISABLED: 'template.disabled',
}

const QUALITIES: Readonly<Record<string, Message>> = {
  RED: 'metaaccount.qualitylow',
  YELLOW: 'metaaccount.qualitymedium',
  GREEN: 'metaaccount.qualityhigh',
}

const decisions = (message: Message | undefined, params: JsonObject = {}): readonly Decision[] =>
  message === undefined ? [] : [{ message, params }]

/** Decisions in the changed fields of a template. One that a list brings for the first time is no news. */
const ofTemplate = ({ type, data }: StoredEvent): readonly Decision[] => {
  const fields = objectOf(data.fields)
  const moved = decisions(typeof fields.old_category === 'string' ? 'template.recategorized' : undefined)
  if (type === 'TemplateSubmissionTaken') return moved
  if (typeof fields.external_id === 'string') return []
  return [...moved, ...decisions(STATES[textOf(fields.status)])]
}

const limitChange = (before: string, now: string): readonly Decision[] => {
  const [old, people] = [messagingLimit(before), messagingLimit(now)]
  if (before === '' || now === '' || old === people) return []
  if (people === Number.POSITIVE_INFINITY) return decisions('metaaccount.limitnone')
  return decisions(people > old ? 'metaaccount.limitraised' : 'metaaccount.limitlowered', { people })
}

/** Only changed fields are in an event: a restriction that is null has ended. */
const restrictionChange = ({ restriction, number_status: status }: JsonObject): readonly Decision[] => {
  if (typeof restriction === 'string' || status === 'BANNED') return decisions('metaaccount.restricted')
  return restriction === null ? decisions('metaaccount.reinstated') : []
}

const qualityChange = (before: string, now: string): readonly Decision[] =>
  before === '' || now === '' || now === before || (now === 'GREEN' && before === 'UNKNOWN')
    ? []
    : decisions(QUALITIES[now])

/** Notifies readers of decisions of providers about templates and numbers: once for each, by one of the nodes. */
export class ProviderNotices {
  readonly #store: EventStore
  readonly #following: Follower

  /** `store`: the log of the console. */
  constructor(store: EventStore, failed: (error: unknown) => void) {
    this.#store = store
    this.#following = follow(store, {
      name: 'notices of providers',
      from: () => store.head(),
      filter: {
        streamPrefixes: ['template-', 'metaaccount-'],
        types: ['TemplateReviewed', 'TemplateSubmissionTaken', 'MetaAccountChecked'],
      },
      event: event => this.hear(event),
      failed,
    })
  }

  close(): Promise<void> {
    return this.#following.stop()
  }

  async hear(event: StoredEvent): Promise<void> {
    const { stream, id: of } = event
    const at = stream.indexOf('-')
    const [entity, id] = [stream.slice(0, at), stream.slice(at + 1)]
    const found = entity === 'template' ? ofTemplate(event) : await this.#ofNumber(event)
    for (const { message, params } of found)
      await giveNotice(this.#store, { ...{ entity, id, message, kind: KINDS[message], of }, params })
  }

  async #ofNumber(event: StoredEvent): Promise<readonly Decision[]> {
    const fields = objectOf(event.data.fields)
    const quality = fieldText(fields, 'quality_rating')
    const limit = fieldText(fields, 'messaging_limit')
    const restricted = restrictionChange(fields)
    if (quality === '' && limit === '') return restricted
    const before = await this.#before(event)
    return [...restricted, ...qualityChange(before.quality, quality), ...limitChange(before.limit, limit)]
  }

  /** Values of an account before an event; empty: the provider had not sent them. One read, up to the newest of each. */
  async #before({ stream, revision }: StoredEvent): Promise<{ readonly quality: string; readonly limit: string }> {
    const before = { quality: '', limit: '' }
    if (revision <= 1) return before
    for await (const { data } of this.#store.read(stream, { direction: 'backwards', from: revision - 1 })) {
      const fields = objectOf(data.fields)
      before.quality ||= fieldText(fields, 'quality_rating')
      before.limit ||= fieldText(fields, 'messaging_limit')
      if (before.quality !== '' && before.limit !== '') break
    }
    return before
  }
}
