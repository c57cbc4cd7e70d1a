import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { isMachineTitle } from '#domain/flow/text/block-text.ts'
import { entityOf, isEntityName } from '#schemas/entities/registry.ts'
import type { ReferenceField } from '#schemas/flow/block-field.ts'
import { SYSTEM_SCHEMAS } from '#schemas/system-schema.ts'
import { isProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { historyQuery, useName } from '#web/entity/entity-query.ts'
import { type FetchMoments, readNewestMoments, readOlderMoments } from '#web/entity/flow/read-revisions.ts'
import { ChoiceControl } from '#web/form/control/choice-control.tsx'
import type { Choice } from '#web/form/control/control-props.ts'
import type { ReferenceOption } from '#web/form/control/reference-options.ts'
import { ReferencePicker } from '#web/form/control/reference-picker.tsx'
import { useWords } from '../canvas/canvas-context.ts'
import { useCommands } from '../commands/commands.ts'
import { plainTitle } from '../model/label.ts'
import { useStoreValue } from '../model/store.ts'
import { useDesigner } from '../session/designer.ts'
import { type FlowNames, siblingsQuery, useNames } from '../session/flow-names.ts'
import type { FlowAddress } from '../session/room/flow-address.ts'
import { useForm } from './form-context.ts'

/** Parts of a flow's history that are looked through for the title of a block that was removed. */
const MAX_PARTS = 5
/** Behind this many characters an id is cut. */
const SHOWN = 8

/** The title a block had when it was last removed; '' when the newest parts of the history do not tell. */
const removedTitle = async ({ kind, id }: FlowAddress, block: string): Promise<string> => {
  const fetchPage: FetchMoments = (after, size) =>
    http.get('/{kind}/{id}/flow/history', { params: { kind, id }, query: { after, size } })
  let part = await readNewestMoments(fetchPage)
  for (let read = 1; ; read += 1) {
    const found = part.moments.flatMap(({ summary }) => summary.removed).findLast(removed => removed.id === block)
    if (found !== undefined) return isMachineTitle(found.title, found.type) ? '' : found.title
    if (part.from === 0 || read === MAX_PARTS) return ''
    part = await readOlderMoments(fetchPage, part.from)
  }
}

/** The words for a value that is not among what can be chosen: removed, or out of reach, by its name wherever that is known. */
const useGone = (to: Exclude<ReferenceField['to'], 'variable'>, id: string, isGone: boolean): string => {
  const { t } = useTranslation('designer')
  const { address } = useDesigner()
  const isBlock = to === 'block'
  const asked = { retry: false, staleTime: 60_000 }
  const there = useQuery({
    queryKey: [to, id],
    queryFn: () => http.get('/{entity}/{id}', { params: { entity: to, id } }),
    ...asked,
    enabled: isGone && !isBlock,
  })
  const isRemoved = isGone && !isBlock && isProblem(there.error, 404)
  const history = useQuery({ ...historyQuery(to, encodeURIComponent(id)), ...asked, enabled: isRemoved })
  const title = useQuery({
    queryKey: ['flow-removed', address.kind, address.id, id],
    queryFn: () => removedTitle(address, id),
    ...asked,
    enabled: isGone && isBlock,
  })
  const titled = isEntityName(to) ? entityOf(to).title : 'name'
  if (there.data !== undefined) return t('inspector.beyond', { name: there.data[titled] })
  const given = history.data?.flatMap(({ changes }) => changes).find(({ path }) => path === titled)?.after
  const name = isBlock ? title.data : given
  if (typeof name === 'string' && name !== '') return t(`inspector.gone.${to}.named`, { name })
  const isAsking = isBlock ? title.isPending : there.isPending || (isRemoved && history.isPending)
  // A configuration may be named: a name is not cut.
  const short = to !== 'oauth' && id.length > SHOWN ? `${id.slice(0, SHOWN)}…` : id
  return isAsking ? '…' : t(`inspector.gone.${to}.unnamed`, { id: short })
}

/** Variables are named, not numbered, and have a control of their own. */
type Target = Exclude<ReferenceField['to'], 'variable'>

interface ReferenceProps {
  readonly id: string
  readonly to: Target
  readonly value: string
  readonly disabled: boolean
  readonly describedBy?: string | undefined
  readonly onChange: (value: string) => void
}

const thingsOf = (to: Exclude<Target, 'block'>, names: FlowNames): readonly { id: string; name: string }[] => {
  switch (to) {
    case 'dialog':
      return names.dialogs ?? []
    case 'handler':
      return names.handlers ?? []
    case 'dialogtask':
      return names.tasks ?? []
    case 'variableschema':
      return names.schemas ?? []
    case 'oauth':
      return names.oauths ?? []
    case 'bot':
      return names.bot === undefined ? [] : [names.bot]
    case 'template':
      return []
    default:
      return to satisfies never
  }
}

const useBlocks = (): readonly Choice[] => {
  const words = useWords()
  const { canvas } = useDesigner()
  const flow = useStoreValue(canvas.flow)
  return [...flow.nodes.values()]
    .filter(node => node.type === 'gotonodedest' || node.type === 'marker')
    .map(node => ({ value: node.id, label: plainTitle(node, words) }))
}

const systemSchemas: readonly ReferenceOption[] = Object.keys(SYSTEM_SCHEMAS).map(name => ({
  id: name,
  name,
  level: null,
  parent: null,
}))

/** Pages of reference targets; variables and schemas have no page in the designer. */
const PAGES: Readonly<Partial<Record<Target, (id: string) => string>>> = {
  dialog: id => `/designer/dialog/${id}`,
  handler: id => `/designer/handler/${id}`,
  dialogtask: id => `/dialogtask/designer/${id}`,
  bot: id => `/bot/${id}`,
  oauth: id => `/oauth/${id}`,
  template: id => `/template/${id}`,
}

const Opening = ({ to, id }: { readonly to: Target; readonly id: string }) => {
  const { t } = useTranslation('designer')
  const commands = useCommands()
  const page = PAGES[to]?.(id)
  if (page !== undefined) {
    return (
      <Link className="pl-open" to={page}>
        {t('inspector.open')}
      </Link>
    )
  }
  return to === 'block' ? (
    <button type="button" className="pl-open" onClick={() => commands.show(id)}>
      {t('inspector.goThere')}
    </button>
  ) : null
}

/** Beside the jump, far enough for the link between them. */
const LANDING_AT = 320

/** Way out of a flow without landings: adds one, which the person then names. */
const NoLanding = () => {
  const { t } = useTranslation('designer')
  const { addAt } = useCommands()
  const { node } = useForm()
  return (
    <p className="pl-no-landing">
      {t('inspector.noLanding')}{' '}
      <button
        type="button"
        className="pl-open"
        onClick={() => addAt('gotonodedest', { x: node.x + LANDING_AT, y: node.y })}
      >
        {t('inspector.addLanding')}
      </button>
    </p>
  )
}

const BlockChoice = ({ to: _, ...props }: ReferenceProps) => {
  const blocks = useBlocks()
  const gone = props.value !== '' && !blocks.some(({ value }) => value === props.value)
  const missing = { value: props.value, label: useGone('block', props.value, gone) }
  return (
    <>
      <ChoiceControl {...props} choices={gone ? [missing, ...blocks] : blocks} />
      {props.value === '' || gone ? null : <Opening to="block" id={props.value} />}
      {blocks.length === 0 && !props.disabled ? <NoLanding /> : null}
    </>
  )
}

/** Searches a task's or bot's entities within the one that the flow or block names. */
const useWithin = (task: string): Readonly<Record<string, string>> => {
  const { flow, bot } = useNames()
  const dialogtask = task === '' ? (flow?.dialogtask ?? '') : task
  return { dialogtask, bot: bot?.id ?? '' }
}

const EntityChoice = ({
  to,
  value,
  onChange,
  ...props
}: ReferenceProps & { readonly to: Exclude<Target, 'block'> }) => {
  const names = useNames()
  const { node } = useForm()
  // The dialog of another task is chosen among that task's.
  const task = to === 'dialog' && typeof node.properties.task === 'string' ? node.properties.task : ''
  const others = useQuery(siblingsQuery('dialog', task === '' ? undefined : task))
  const known = task === '' ? thingsOf(to, names) : (others.data ?? [])
  // One that is named is shown as the one of that name, and stays named until another is chosen.
  const found = known.find(({ id, name }) => id === value || (to === 'oauth' && name === value))
  const builtIn = to === 'variableschema' ? systemSchemas : []
  const isBuiltIn = builtIn.some(({ id }) => id === value)
  const isListed = names.listed && (task === '' || !others.isPending)
  // No list has all bots or templates: their names are read one by one.
  const isAsked = to === 'bot' || to === 'template'
  const asked = useName(to, isAsked ? value : null)
  const gone = value !== '' && !isBuiltIn && found === undefined && (isAsked ? asked === null : isListed)
  const missing = useGone(to, value, gone)
  const called = gone ? missing : isBuiltIn ? value : found?.name
  return (
    <>
      <ReferencePicker
        {...props}
        to={to}
        within={useWithin(task)}
        builtIn={builtIn}
        invalid={gone}
        required={false}
        value={value === '' ? null : (found?.id ?? value)}
        called={value === '' ? undefined : called}
        onChange={chosen => onChange(chosen ?? '')}
      />
      {value === '' || gone || isBuiltIn ? null : <Opening to={to} id={found?.id ?? value} />}
    </>
  )
}

/** Selects an existing entity and links to it; a removed one stays selected under its old name. */
export const ReferenceControl = ({ to, ...props }: ReferenceProps) =>
  to === 'block' ? <BlockChoice to={to} {...props} /> : <EntityChoice to={to} {...props} />
