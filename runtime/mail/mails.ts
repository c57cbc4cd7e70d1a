import { join } from 'node:path'
import type { Commands } from '#commands/command-handler.ts'
import type { Keys } from '#commands/keys/secret.ts'
import type { People } from '#commands/people/authentication.ts'
import { RESET_PREFIX, resetToken } from '#commands/people/password-reset.ts'
import { appendAtEnd } from '#commands/pipeline/append.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { Lookup } from '#domain/lookup.ts'
import {
  credentialChange,
  MAIL_FRESH_MS,
  MAX_MAILS,
  MAX_MAILS_PERSON,
  type MailOutcome,
  mailKindOf,
  nextMailTry,
  UNREAD_MS,
} from '#domain/mail.ts'
import { scopeOf } from '#projections/access-model.ts'
import type { Notification, ReadModels } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import { isEntityName } from '#schemas/entities/registry.ts'
import type { JsonObject, StoredEvent } from '#schemas/event.ts'
import { MAIL_KEPT_MS, MAIL_PREFIX, type MailKind, mailStream } from '#schemas/events/mail.ts'
import { NOTICE_GIVEN, noticeGivenSchema, noticeStream } from '#schemas/events/notification.ts'
import { objectOf, stringsOf, textOf } from '#schemas/json.ts'
import { DEFAULT_LANGUAGE, isLanguage, type Language } from '#schemas/language.ts'
import { noticeDrafts } from '../alert/give-notice.ts'
import { noticeText } from '../localized-text.ts'
import { LeaseTerm } from '../log/lease.ts'
import { Outbox } from '../log/outbox.ts'
import { NODE_NAME, type RuntimeParts } from '../parts.ts'
import { MailIndex, type StoredMail } from './mail-index.ts'
import { filled, type MailLine, mailText, mailTime, renderMail } from './mail-text.ts'
import { ATTEMPT_MS, type Mail, type MailTransport, openMailTransport } from './mail-transport.ts'

const HOUR_MS = 3_600_000
const MAX_AT_ONCE = 4
/** Unread notifications of a person among which the mailed ones are looked for. */
const MAX_UNREAD = 100
const MAX_SUBJECT = 150
const TERM = new LeaseTerm(ATTEMPT_MS + 15_000)

interface MailParts {
  /** Console log, which contains the causes of mails. */
  readonly store: EventStore
  readonly keys: Keys
  readonly read: Pick<ReadModels, 'detail' | 'holdersAt' | 'notifications'>
  readonly lookup: Pick<Lookup, 'permissionsOfUser' | 'reached'>
  readonly commands: Pick<Commands, 'openFields'>
  readonly people: Pick<People, 'issueReset'>
  readonly transport: MailTransport
  /** Base of links into the console, without a trailing slash. Never what a request says. */
  readonly publicUrl: () => string
  /** INSTANCE_NAME. */
  readonly instance: string
  /** File of the index, which can be rebuilt. */
  readonly file: string
  readonly node: string
  readonly failed: (error: unknown) => void
  readonly counted?: (outcome: 'sent' | 'later' | 'bounced' | 'givenup') => void
  readonly now?: () => number
  readonly tickMs?: number
  /** Default: UNREAD_MS. */
  readonly unreadMs?: number
}

/** A person as a mail needs them. */
interface Addressee {
  readonly id: string
  readonly email: string
  readonly username: string
  readonly name: string
  readonly language: Language
  readonly level: string
  readonly off: readonly string[]
}

/** Mail to make of an event. */
interface MailWish {
  readonly user: string
  readonly kind: MailKind
  readonly about: JsonObject
  /** ms since 1970; default: 24 h after the event. */
  readonly until?: number
}

/** Revision of the user at whose address a mail is sent; undefined: the newest. */
const revisionIn = ({ at }: JsonObject): number | undefined => (typeof at === 'number' ? at : undefined)

/** Sends mail to people. Each mail is a stream; it is sent at least once, and twice only after a death between sending and storing. */
export class Mails {
  readonly #parts: MailParts
  readonly #index: MailIndex
  readonly #outbox: Outbox<StoredMail>

  constructor(parts: MailParts) {
    this.#parts = parts
    this.#index = new MailIndex(parts.file)
    this.#outbox = new Outbox({
      ...{ store: parts.store, node: parts.node, failed: parts.failed, now: parts.now, tickMs: parts.tickMs },
      ...{ index: this.#index, streamOf: mailStream, term: TERM, keptMs: MAIL_KEPT_MS },
      types: { queued: 'MailQueued', taken: 'MailTaken' },
      plan: () => this.#plan(),
      due: () => this.#due(),
      send: mail => this.#send(mail),
    })
  }

  /** Follows the log, and sends what is due. */
  async begin(): Promise<void> {
    const { store, failed } = this.#parts
    this.#outbox.begin()
    await this.#index.follow(store, {
      name: 'mails',
      prefixes: ['notice-', 'user-', 'dialogcomment-', 'handlercomment-', RESET_PREFIX, MAIL_PREFIX],
      failed,
    })
  }

  /** Removes mails that are no longer kept. */
  sweep(): Promise<void> {
    return this.#outbox.sweep()
  }

  close(): Promise<void> {
    return this.#outbox.close()
  }

  #now(): number {
    return this.#outbox.now()
  }

  /** One mail of a person at a time, so that nobody gets more than they may. */
  #due() {
    const since = this.#now() - HOUR_MS
    const without = this.#outbox.keys
    const left = Math.min(MAX_AT_ONCE, MAX_MAILS - this.#index.sentSince(since)) - without.length
    if (left <= 0) return []
    const due = this.#index.due(this.#now(), left, { since, most: MAX_MAILS_PERSON, without })
    return due.map(({ id, user }) => ({ key: user, id }))
  }

  /** Makes mails of the waiting events, and of what people left unread. */
  async #plan(): Promise<void> {
    for (let next = this.#index.nextCause(); next !== undefined; next = this.#index.nextCause()) {
      if (this.#outbox.isClosed) return
      const { event } = next
      if (this.#now() - Date.parse(event.time) <= MAIL_FRESH_MS)
        for (const wanted of await this.#wantedBy(event)) await this.#queue(event.id, Date.parse(event.time), wanted)
      this.#index.dropCause(next.n)
    }
    for (;;) {
      const next = this.#index.nextUnread(this.#now() - (this.#parts.unreadMs ?? UNREAD_MS))
      if (next === undefined || this.#outbox.isClosed) return
      const of = next.time + MAIL_FRESH_MS < this.#now() ? [] : await this.#unreadOf(next.user, next.of)
      const [first] = of
      if (first !== undefined)
        await this.#queue(first.event, this.#now(), {
          user: next.user,
          kind: first.kind,
          about: { of: of.map(({ event }) => event) },
        })
      for (const one of next.of) this.#index.read(next.user, one)
    }
  }

  /** Mails that a stored event leads to at once. */
  async #wantedBy(event: StoredEvent): Promise<readonly MailWish[]> {
    const { type, stream, position } = event
    await this.#parts.lookup.reached(position)
    if (type === 'PasswordResetAsked') {
      const issued = await this.#parts.people.issueReset(event)
      return issued === undefined ? [] : [{ ...issued, kind: 'reset', about: { wish: event.id } }]
    }
    if (type === NOTICE_GIVEN) return this.#wantedByNotice(event)
    const user = stream.slice('user-'.length)
    if (type === 'UserLocked') return [{ user, kind: 'locked', about: {} }]
    const fields = objectOf(event.data.fields)
    const change = credentialChange(type, fields)
    if (change === undefined) return []
    const wish = { user, kind: 'credentials', about: { change } } as const
    if (type !== 'UserChanged' || !('email' in fields)) return [wish]
    return [wish, { ...wish, about: { change: 'emailbefore', at: event.revision - 1 } }]
  }

  async #wantedByNotice({ data }: StoredEvent): Promise<readonly MailWish[]> {
    const { entity, id, message, params, recipients } = noticeGivenSchema.parse(data)
    const kind = mailKindOf(message)
    if (kind === undefined || !isEntityName(entity)) return []
    if (kind === 'credentials') {
      const about = { change: message.slice('user.'.length) }
      return (recipients ?? []).map(user => ({ user, kind, about }))
    }
    const level = (await this.#parts.read.detail(SYSTEM_SCOPE, entity, id))?.hierarchylevel
    // Only people with the right to repair it; the bell shows it to all readers.
    const holders = typeof level === 'string' ? this.#parts.read.holdersAt(`update${entity}`, level) : []
    return (recipients ?? holders).map(user => ({ user, kind, about: { entity, id, message, params } }))
  }

  /** Stores a mail, unless another node did or its person does not want it. */
  async #queue(cause: string, time: number, { user, kind, about, until }: MailWish): Promise<void> {
    const at = revisionIn(about)
    const person = await this.#addressee(user, at)
    if (person === undefined || person.off.includes(kind)) return
    const data = { user, kind, about, time, until: until ?? time + MAIL_FRESH_MS }
    const id = `${cause.replaceAll(':', '_')}.${user}${at === undefined ? '' : '.before'}`
    await this.#index.reached(await this.#outbox.queue(id, data))
  }

  /** With the address of a revision. Undefined for people without an address, and those who were forgotten. */
  async #addressee(id: string, at?: number): Promise<Addressee | undefined> {
    const { commands } = this.#parts
    const fields = await commands.openFields('user', id)
    const email = textOf((at === undefined ? fields : await commands.openFields('user', id, at))?.email)
    if (fields === undefined || email === '' || fields.forgotten === true) return undefined
    const row = await this.#parts.read.detail(SYSTEM_SCOPE, 'user', id)
    return {
      ...{ id, email, username: textOf(fields.username), name: textOf(fields.firstname) },
      language: isLanguage(fields.language) ? fields.language : DEFAULT_LANGUAGE,
      level: row?.hierarchylevel ?? '',
      off: stringsOf(fields.mailoff),
    }
  }

  /** Notifications of these events that the bell of a person still shows as unread, in the kinds that they want. */
  async #unreadOf(user: string, of: readonly string[]) {
    const person = await this.#addressee(user)
    if (person === undefined || person.level === '') return []
    const { read, lookup } = this.#parts
    const permissions = await lookup.permissionsOfUser(user)
    const scope = scopeOf({ user, home: person.level, level: person.level, permissions })
    const { items } = await read.notifications(scope, { unread: true, page: 1, size: MAX_UNREAD })
    return of.flatMap(event => {
      const item = items.find(({ id }) => id === event || id.startsWith(`${event}:`))
      const kind = item && mailKindOf(item.message)
      return item === undefined || kind === undefined || person.off.includes(kind) ? [] : [{ event, item, kind }]
    })
  }

  /** Sends a mail, and stores the outcome. */
  async #send(mail: StoredMail): Promise<void> {
    const written = await this.#compose(mail)
    const outcome = written === undefined ? undefined : await this.#parts.transport.send(written)
    const { type, data } = outcome === undefined ? { type: 'MailDropped', data: {} } : this.#fact(mail, outcome)
    await this.#outbox.store(mail.id, type, data)
    if (type === 'MailBounced' || type === 'MailGivenUp') await this.#tell(mail)
  }

  #fact(mail: StoredMail, outcome: MailOutcome) {
    const { counted = () => undefined } = this.#parts
    const [tries, now] = [mail.tries + 1, this.#now()]
    if (outcome.kind === 'sent') {
      counted('sent')
      return { type: 'MailSent', data: { tries, sent: now } }
    }
    const { code } = outcome
    const due = outcome.kind === 'later' ? nextMailTry(tries, now, mail.until) : undefined
    if (due !== undefined) {
      counted('later')
      return { type: 'MailTried', data: { tries, code, due } }
    }
    counted(outcome.kind === 'bounced' ? 'bounced' : 'givenup')
    return { type: outcome.kind === 'bounced' ? 'MailBounced' : 'MailGivenUp', data: { tries, code } }
  }

  /** Notifies the person in the bell that a mail did not reach them. */
  async #tell({ user }: StoredMail): Promise<void> {
    const params = { page: '/account/mail' }
    const about = { entity: 'user', id: user, message: 'user.mailfailed', kind: 'warn' } as const
    await appendAtEnd(
      this.#parts.store,
      noticeStream('user', user),
      noticeDrafts({ ...about, params, recipients: [user] }),
    )
  }

  /** The mail in the language of its person; undefined when there is nothing to say to them any more. */
  async #compose(mail: StoredMail): Promise<Mail | undefined> {
    const person = await this.#addressee(mail.user, revisionIn(mail.about))
    if (person === undefined || person.off.includes(mail.kind) || mail.until <= this.#now()) return undefined
    const said = await this.#said(mail, person)
    if (said === undefined) return undefined
    const { instance, publicUrl } = this.#parts
    const { id, kind } = mail
    const isChosen = kind !== 'reset' && kind !== 'credentials'
    const off = isChosen ? this.#url('/account/mail') : undefined
    const { language, name } = person
    const foot = mailText(language, 'foot', { instance: instanceOf(instance), host: new URL(publicUrl()).host })
    return {
      ...{ id, to: person.email, subject: [...said.subject].slice(0, MAX_SUBJECT).join('') },
      ...renderMail({ language, name, lines: said.lines, why: said.why, foot, off }),
      unsubscribe: off,
    }
  }

  async #said(mail: StoredMail, person: Addressee): Promise<MailContent | undefined> {
    const { language, username } = person
    const values = {
      ...{ username, instance: instanceOf(this.#parts.instance) },
      ...{ time: mailTime(language, mail.time), until: mailTime(language, mail.until) },
    }
    const text = (path: string) => mailText(language, path, values)
    if (mail.kind === 'reset') {
      const token = await resetToken(this.#parts.keys, textOf(mail.about.wish))
      const line = { text: text('reset.text'), url: this.#url(`/newpassword#${token}`), link: text('reset.link') }
      return { subject: text('reset.subject'), lines: [line], why: text('reset.why') }
    }
    if (mail.kind === 'credentials') {
      const change = text(`credentials.${textOf(mail.about.change)}`)
      const line = {
        text: mailText(language, 'credentials.text', { ...values, change }),
        ...{ url: this.#url('/account/sessions'), link: text('credentials.link') },
      }
      return { subject: change, lines: [line], why: text('credentials.why') }
    }
    if (mail.kind === 'locked')
      return { subject: text('locked.subject'), lines: [{ text: text('locked.text') }], why: text('locked.why') }
    return 'of' in mail.about ? this.#saidOfUnread(mail, person) : this.#saidOfNotice(mail, person)
  }

  async #saidOfUnread({ user, about }: StoredMail, { language }: Addressee): Promise<MailContent | undefined> {
    const items = (await this.#unreadOf(user, stringsOf(about.of))).map(({ item }) => item)
    const [first] = items
    if (first === undefined) return undefined
    const link = mailText(language, 'unread.link')
    const lines = items.map(item => ({ text: notificationText(language, item), url: this.#url(pageOf(item)), link }))
    const count = items.length
    const subject = count === 1 ? notificationText(language, first) : mailText(language, 'unread.subject', { count })
    return { subject, lines, why: mailText(language, 'unread.why') }
  }

  async #saidOfNotice({ about }: StoredMail, { language }: Addressee): Promise<MailContent | undefined> {
    const [entity, id, message] = [textOf(about.entity), textOf(about.id), textOf(about.message)]
    const row = isEntityName(entity) ? await this.#parts.read.detail(SYSTEM_SCOPE, entity, id) : undefined
    if (row === undefined) return undefined
    const params = objectOf(about.params)
    const name = filled('{{name}}', { name: textOf(row.name) || textOf(params.name) })
    const text = noticeText(language, message, { ...params, name })
    const url = this.#url(pageOf({ message, entity, entityid: id, params }))
    return { subject: text, lines: [{ text, url, link: mailText(language, 'notice.link') }] }
  }

  #url(page: string): string {
    return `${this.#parts.publicUrl()}/botadmin${page}`
  }
}

type Waits = Pick<MailParts, 'tickMs' | 'unreadMs'>

/** Mail to people, from the settings; undefined without MAIL_URL. */
export const openMails = (
  parts: Pick<RuntimeParts, 'settings' | 'log' | 'publicUrl'> &
    Pick<MailParts, 'store' | 'keys' | 'read' | 'lookup' | 'commands' | 'people'>,
  folder: string,
  waits: Waits | undefined,
  counted: NonNullable<MailParts['counted']>,
): Mails | undefined => {
  const { MAIL_URL, MAIL_FROM, INSTANCE_NAME: instance } = parts.settings
  if (MAIL_URL === undefined || MAIL_FROM === undefined) return undefined
  const failed = (error: unknown) => parts.log.error(error)
  const mails = new Mails({
    ...{ ...parts, instance, failed, counted, file: join(folder, 'mails.sqlite'), node: NODE_NAME, ...waits },
    publicUrl: () => parts.publicUrl(),
    transport: openMailTransport(MAIL_URL, MAIL_FROM),
  })
  mails.begin().catch(failed)
  return mails
}

/** Subject and lines of a mail. */
interface MailContent {
  readonly subject: string
  readonly lines: readonly MailLine[]
  readonly why?: string
}

const instanceOf = (instance: string): string => `Parley ${instance}`

/** The sentence of a notification with the names that it may have. */
const notificationText = (language: Language, { message, params, actor }: Notification): string => {
  const oneLine = (name: unknown) => filled('{{name}}', { name: textOf(name) })
  const { firstname = '', lastname = '', username } = actor ?? { username: null }
  const by = oneLine(`${firstname} ${lastname}`.trim() || username)
  return noticeText(language, message, { ...params, name: oneLine(params.name), actor: by === '' ? undefined : by })
}

/** Page of the console that a notification leads to. */
const pageOf = ({
  message,
  entity = '',
  entityid = '',
  params,
}: Pick<Notification, 'message' | 'entity' | 'entityid' | 'params'>): string => {
  const page = textOf(params.page)
  if (page.startsWith('/')) return page
  const conversation = textOf(params.conversation)
  if (message.startsWith('desk.'))
    return conversation === '' ? `/desk?queue=${entityid}` : `/desk?open=${encodeURIComponent(conversation)}`
  const comment = textOf(params.comment)
  return comment === '' ? `/${entity}/${entityid}` : `/designer/${entity}/${entityid}?comment=${comment}`
}
