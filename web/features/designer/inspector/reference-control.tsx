import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { ReferenceField } from '#schemas/flow/block-field.ts'
import { SYSTEM_SCHEMAS } from '#schemas/system-schema.ts'
import { useName } from '#web/entity/entity-query.ts'
import { ChoiceControl } from '#web/form/control/choice-control.tsx'
import type { Choice } from '#web/form/control/control-props.ts'
import type { ReferenceOption } from '#web/form/control/reference-options.ts'
import { ReferencePicker } from '#web/form/control/reference-picker.tsx'
import { useWords } from '../canvas/translate-context.ts'
import { useCommands } from '../commands/commands.ts'
import { plainTitle } from '../model/label.ts'
import { useStoreValue } from '../model/store.ts'
import { useDesigner } from '../session/designer.ts'
import { type FlowNames, siblingsQuery } from '../session/flow-names.ts'
import { useNames } from '../session/names-context.ts'
import { useForm } from './form-context.ts'
import { useGone } from './use-missing-reference.ts'

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

const BlockChoice = ({ to: _, ...props }: ReferenceProps) => {
  const blocks = useBlocks()
  const gone = props.value !== '' && !blocks.some(({ value }) => value === props.value)
  const missing = { value: props.value, label: useGone('block', props.value, gone) }
  return (
    <>
      <ChoiceControl {...props} choices={gone ? [missing, ...blocks] : blocks} />
      {props.value === '' || gone ? null : <Opening to="block" id={props.value} />}
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
  const bot = useName('bot', to === 'bot' ? value : null)
  const gone = value !== '' && !isBuiltIn && found === undefined && (to === 'bot' ? bot === null : isListed)
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
