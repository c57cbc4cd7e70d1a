import { z } from 'zod'
import { missingFields } from '#schemas/channel-type.ts'
import { campaign, RUN_STATES } from '#schemas/entities/campaign.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { accepted, type FieldError, type Result, refused } from '#schemas/refusal.ts'
import { sendsTemplates } from '#schemas/template-provider.ts'
import type { Behaviour, DomainEvent, Live, NamedCommand } from '../behaviour.ts'
import { eventOf, type Fields } from '../entity.ts'
import { hindranceOf, isSendableThere, registrationOf, templateOf } from '../template/template.ts'
import { mappingOf, templateVariables } from './message-body.ts'

/** Facts about other entities for campaign decisions. */
export interface CampaignFacts {
  /** Id for a run, were one to begin. */
  readonly run: string
  readonly template: Fields | undefined
  /** The template that it is compared with. */
  readonly templateB?: Fields | undefined
  readonly account: Fields | undefined
  readonly channel: Fields | undefined
}

type Command = NamedCommand<CampaignFacts>
type Decision = Result<readonly DomainEvent[]>

const OPEN: ReadonlySet<Json | undefined> = new Set([
  'planned',
  'running',
  'waiting',
  'pausing',
  'paused',
  'cancelling',
])
/** States in which a person may pause it. */
const GOING: ReadonlySet<Json | undefined> = new Set(['planned', 'running', 'waiting'])

const isRunOpen = ({ run_status: status }: Fields): boolean => OPEN.has(status)

const wrong = (path: string, rule: string, params: JsonObject = {}): FieldError => ({
  path,
  code: 'format',
  params: { rule, ...params },
})

const isEmpty = (value: Json | undefined): boolean => value === undefined || value === null || value === ''

/** The account or channel of a campaign or a template. */
const placeOf = ({ metaaccount, channel }: Fields): string =>
  isEmpty(channel) ? `account ${String(metaaccount)}` : `channel ${String(channel)}`

/** Why the number can not send: one account or one channel is named, which has all that it needs. */
const senderErrors = (fields: Fields, { account, channel }: CampaignFacts): readonly FieldError[] => {
  if (!isEmpty(fields.metaaccount) && !isEmpty(fields.channel)) return [wrong('channel', 'oneplace')]
  if (isEmpty(fields.channel)) {
    if (account === undefined) return [wrong('metaaccount', 'campaignaccount')]
    const isReady = !isEmpty(account.phone_number_id) && !isEmpty(account.access_token)
    return isReady ? [] : [wrong('metaaccount', 'campaignnumber')]
  }
  if (channel === undefined || !sendsTemplates(channel)) return [wrong('channel', 'templatechannel')]
  return channel.enable === false || missingFields(channel).length > 0 ? [wrong('channel', 'campaignchannel')] : []
}

/** Why a template of a campaign can not be sent. */
const templateErrors = (path: string, template: Fields | undefined, fields: Fields): readonly FieldError[] => {
  const errors: FieldError[] = []
  if (template === undefined || !isSendableThere(template)) errors.push(wrong(path, 'campaignapproved'))
  else if (placeOf(template) !== placeOf(fields)) errors.push(wrong(path, 'campaignother'))
  if (template === undefined) return errors
  const hindrance = hindranceOf(templateOf(template), registrationOf(template))
  return hindrance === undefined ? errors : [...errors, wrong(path, `template${hindrance}`)]
}

/** Why two templates can not be compared: opt-outs, hours and limits follow from the category. */
const comparisonErrors = (fields: Fields, { template, templateB }: CampaignFacts): readonly FieldError[] => {
  if (!isCompared(fields)) return []
  if (fields.template_b === fields.template) return [wrong('template_b', 'campaignsame')]
  const errors = templateErrors('template_b', templateB, fields)
  const isOther = template !== undefined && templateB !== undefined && template.category !== templateB.category
  return isOther ? [...errors, wrong('template_b', 'campaigncategory')] : errors
}

/** Whether a campaign compares two templates. */
const isCompared = ({ template_b: other }: Fields): boolean => !isEmpty(other)

/** Why a campaign can not be sent as it is, field by field. */
const startErrors = (fields: Fields, facts: CampaignFacts): readonly FieldError[] => {
  const templates = [facts.template, ...(isCompared(fields) ? [facts.templateB] : [])]
  const mapped = new Set(mappingOf(fields.mapping).map(({ variable }) => variable))
  const variables = templates.flatMap(found =>
    found === undefined ? [] : templateVariables(templateOf(found), registrationOf(found)),
  )
  const missing = [...new Set(variables)].filter(name => !mapped.has(name))
  return [
    ...senderErrors(fields, facts),
    ...templateErrors('template', facts.template, fields),
    ...comparisonErrors(fields, facts),
    ...(missing.length === 0 ? [] : [wrong('mapping', 'campaignmapping', { name: missing.join(', ') })]),
  ]
}

const begun = (type: string, fields: JsonObject): Decision => accepted([eventOf(campaign, type, { fields })])

/** Begins a run, unless one is open or what it needs is not there. */
const startWith = (state: Live, facts: CampaignFacts, type: string, more: JsonObject): Decision => {
  const { fields } = state
  if (fields.enabled !== true) return refused('campaign.disabled')
  if (isRunOpen(fields)) return refused('campaign.open')
  const errors = startErrors(fields, facts)
  if (errors.length > 0) return refused('campaign.incomplete', { errors })
  return begun(type, { run_status: 'planned', run_reason: null, ...more })
}

const start: Command = {
  decide: (state, _input, { time, facts }) =>
    startWith(state, facts, 'Started', { run: facts.run, run_kind: 'all', run_of: null, run_started_at: time }),
}

/** A new run over those of the last one that failed, or whose outcome is not known. */
const again = (kind: 'failed' | 'unknown'): Command => ({
  decide(state, _input, { time, facts }) {
    const { run } = state.fields
    if (isEmpty(run)) return refused('campaign.none')
    const more = { run: facts.run, run_kind: kind, run_of: run ?? null, run_started_at: time }
    return startWith(state, facts, kind === 'failed' ? 'FailedRetried' : 'UnknownResent', more)
  },
})

const pause: Command = {
  decide: ({ fields }) =>
    GOING.has(fields.run_status)
      ? begun('Paused', { run_status: 'pausing', run_reason: 'person' })
      : fields.run_status === 'pausing' || fields.run_status === 'paused'
        ? accepted([])
        : refused('campaign.none'),
}

const resume: Command = {
  decide({ fields }, _input, { facts }) {
    if (fields.run_status !== 'paused') return refused('campaign.notpaused')
    if (fields.enabled !== true) return refused('campaign.disabled')
    const errors = startErrors(fields, facts).filter(({ path }) => path !== 'mapping')
    if (errors.length > 0) return refused('campaign.incomplete', { errors })
    return begun('Resumed', { run_status: 'running', run_reason: null })
  },
}

/** The template that the rest of a comparison gets. Once: messages of the other one may have gone out since. */
const choosewinner: Command = {
  decide({ fields }, { winner = null }) {
    if (!isCompared(fields) || !isRunOpen(fields)) return refused('campaign.none')
    if (fields.winner === winner) return accepted([])
    return isEmpty(fields.winner) ? begun('WinnerChosen', { winner }) : refused('campaign.winner')
  },
}

const cancel: Command = {
  decide: ({ fields }) =>
    isRunOpen(fields)
      ? fields.run_status === 'cancelling'
        ? accepted([])
        : begun('Cancelled', { run_status: 'cancelling', run_reason: null })
      : refused('campaign.none'),
}

const fired = z.strictObject({
  /** Made of campaign and instant, so that all nodes mean the same run. */
  run: z.uuid(),
  /** The instant of the schedule. */
  at: z.iso.datetime(),
  /** It comes too late to be sent. */
  late: z.boolean(),
})

/** A fire of the schedule: starts a run, or says why not. Each instant once. */
const fire: Command = {
  input: fired,
  decide(state, input, { time, facts }) {
    const { fields } = state
    const at = String(input.at)
    if (fields.enabled !== true || isEmpty(fields.cron_expression)) return accepted([])
    if (typeof fields.fired_at === 'string' && fields.fired_at >= at) return accepted([])
    const skipped = (reason: string) => begun('FireSkipped', { fired_at: at, fire_skipped: reason })
    if (input.late === true) return skipped('late')
    if (isRunOpen(fields)) return skipped('open')
    if (startErrors(fields, facts).length > 0) return skipped('incomplete')
    const run = { run: input.run ?? null, run_kind: 'all', run_of: null, run_started_at: time }
    return startWith(state, facts, 'Started', { ...run, fired_at: at, fire_skipped: null })
  },
}

const recorded = z.strictObject({
  run: z.string().max(64),
  status: z.enum(RUN_STATES),
  reason: z.string().max(100).nullable(),
})

/** Run states from which the sender may set each state. */
const FROM: Readonly<Record<string, readonly string[]>> = {
  running: ['planned', 'waiting', 'running'],
  waiting: ['planned', 'running', 'waiting'],
  paused: ['planned', 'running', 'waiting', 'pausing'],
  cancelled: ['cancelling'],
  expired: ['planned', 'running', 'waiting', 'pausing', 'paused'],
  completed: ['planned', 'running', 'waiting', 'pausing', 'paused', 'cancelling'],
}

const NAMES: Readonly<Record<string, string>> = {
  running: 'Running',
  waiting: 'Waiting',
  paused: 'Held',
  cancelled: 'Ended',
  expired: 'Ended',
  completed: 'Ended',
}

/** Sent by the sending node. Ignored for an older run or one that has already advanced. */
const record: Command = {
  input: recorded,
  decide({ fields }, input) {
    const status = String(input.status)
    if (fields.run !== input.run || FROM[status]?.includes(String(fields.run_status)) !== true) return accepted([])
    // The reason of a person's pause stays.
    const reason = fields.run_status === 'pausing' && input.reason === null ? fields.run_reason : input.reason
    if (fields.run_status === status && (fields.run_reason ?? null) === (reason ?? null)) return accepted([])
    return begun(NAMES[status] ?? 'Ended', { run_status: status, run_reason: reason ?? null })
  },
}

const FIVE_FIELDS = /^\s*(?:\S{1,100}\s+){4}\S{1,100}\s*$/u

/** Five fields or a name such as `@daily`: seconds are none of a campaign's. */
const cronErrors = ({ cron_expression: cron }: Fields): readonly FieldError[] =>
  typeof cron !== 'string' || cron === '' || cron.trim().startsWith('@') || FIVE_FIELDS.test(cron)
    ? []
    : [wrong('cron_expression', 'cron')]

/** Lists and segments of each kind: planning asks the minus lists about each person. */
const MAX_SOURCES = 20

const sourceErrors = (changes: Fields): readonly FieldError[] =>
  ['lists', 'segments', 'minuslists'].flatMap(path => {
    const value = changes[path]
    return Array.isArray(value) && value.length > MAX_SOURCES
      ? [{ path, code: 'toolong' as const, params: { max: MAX_SOURCES } }]
      : []
  })

/** The schedule counts from the moment it was set: earlier times are not run later. */
const withSchedule = (changes: Fields, time: string, before: Fields = {}): Result<Fields> => {
  const { metaaccount, channel } = { ...before, ...changes }
  const errors = [
    ...cronErrors(changes),
    ...sourceErrors(changes),
    ...(isEmpty(metaaccount) || isEmpty(channel) ? [] : [wrong('channel', 'oneplace')]),
  ]
  if (errors.length > 0) return refused('validation.failed', { errors })
  const isSet = ['cron_expression', 'timezone', 'enabled'].some(name => Object.hasOwn(changes, name))
  return accepted(isSet ? { ...changes, fired_at: time } : changes)
}

/** Its recipients left the console as a file. */
export const tellExport: Command = { decide: () => begun('Exported', {}) }

/** Its message was sent to test numbers. */
export const tellTest: Command = {
  input: z.strictObject({ count: z.int() }),
  decide: (_state, { count = 0 }) => begun('Tested', { count }),
}

/** A change of these begins a new comparison. */
const COMPARED = ['template', 'template_b', 'compare_share']

/** Rules of a campaign beyond its declaration. */
export const campaignBehaviour = {
  commands: {
    start,
    pause,
    resume,
    cancel,
    choosewinner,
    retryfailed: again('failed'),
    resendunknown: again('unknown'),
    fire,
    record,
  },
  onCreate: (fields, { time }) => withSchedule(fields, time),
  onChange({ fields }, changes, { time }) {
    const isOther = COMPARED.some(name => Object.hasOwn(changes, name))
    const given = withSchedule(isOther ? { ...changes, winner: null } : changes, time, fields)
    // A run keeps its planned settings; disabling stops it.
    if (!given.ok || changes.enabled !== false || !GOING.has(fields.run_status)) return given
    return accepted({ ...given.value, run_status: 'pausing', run_reason: 'disabled' })
  },
  onRemove: ({ fields }) => (isRunOpen(fields) ? refused('campaign.open') : accepted(null)),
} satisfies Behaviour<CampaignFacts>
