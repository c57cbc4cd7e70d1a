import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { ReferenceField } from '#schemas/flow/block-field.ts'
import { SYSTEM_SCHEMAS } from '#schemas/system-schema.ts'
import { http } from '#web/api/http.ts'
import { ChoiceControl } from '#web/form/control/choice-control.tsx'
import type { Choice } from '#web/form/control/control-props.ts'
import { useWords } from '../canvas/translate-context.ts'
import { useCommands } from '../commands/commands.ts'
import { plainTitle } from '../model/label.ts'
import { useStoreValue } from '../model/store.ts'
import { useDesigner } from '../session/designer.ts'
import { type FlowNames, MAX_NAMES, siblingsQuery } from '../session/flow-names.ts'
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

const named = (items: readonly { id: string; name: string }[] | undefined): Choice[] =>
  (items ?? []).map(({ id, name }) => ({ value: id, label: name }))

const choicesOf = (to: Exclude<Target, 'block'>, names: FlowNames): readonly Choice[] => {
  switch (to) {
    case 'dialog':
      return named(names.dialogs)
    case 'handler':
      return named(names.handlers)
    case 'dialogtask':
      return named(names.tasks)
    case 'variableschema':
      return named(names.schemas)
    case 'oauth':
      return named(names.oauths)
    case 'bot':
      return named(names.bot === undefined ? [] : [names.bot])
    default:
      return to satisfies never
  }
}

const useBlocks = (active: boolean): readonly Choice[] => {
  const words = useWords()
  const { canvas } = useDesigner()
  const flow = useStoreValue(canvas.flow)
  if (!active) return []
  return [...flow.nodes.values()]
    .filter(node => node.type === 'gotonodedest' || node.type === 'marker')
    .map(node => ({ value: node.id, label: plainTitle(node, words) }))
}

const systemSchemas: readonly Choice[] = Object.keys(SYSTEM_SCHEMAS).map(name => ({ value: name, label: name }))

/** All bots that may be read here, asked for where one is chosen. */
const useBots = (active: boolean): readonly Choice[] | undefined => {
  const bots = useQuery({
    queryKey: ['bot', 'list', { size: MAX_NAMES }],
    queryFn: () => http.get('/{entity}', { params: { entity: 'bot' }, query: { size: MAX_NAMES, sort: 'name' } }),
    enabled: active,
  })
  return bots.data === undefined
    ? undefined
    : bots.data.items.map(({ id, name }) => ({ value: id, label: String(name) }))
}

/** Where what is chosen can be opened; variables and schemas have no page of their own in the designer. */
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

/** Chooses one of the things that exist, and leads to it; what is gone stays chosen, and is called by the name it had. */
export const ReferenceControl = ({ to, ...props }: ReferenceProps) => {
  const names = useNames()
  const { node } = useForm()
  // The dialog of another task is chosen among that task's.
  const task = to === 'dialog' && typeof node.properties.task === 'string' ? node.properties.task : ''
  const others = useQuery(siblingsQuery('dialog', task === '' ? undefined : task)).data?.items
  const blocks = useBlocks(to === 'block')
  const bots = useBots(to === 'bot')
  const offered = () => {
    if (to === 'block') return blocks
    if (to === 'bot' && bots !== undefined) return bots
    if (task !== '') return named(others)
    const found = choicesOf(to, names)
    return to === 'variableschema' ? [...systemSchemas, ...found] : found
  }
  const choices = offered()
  // One that is named is shown as the one of that name, and stays named until another is chosen.
  const isNamed = ({ label }: Choice) => to === 'oauth' && label === props.value
  const value = choices.find(choice => choice.value === props.value || isNamed(choice))?.value ?? props.value
  const gone = value !== '' && !choices.some(choice => choice.value === value)
  const missing = { value, label: useGone(to, value, gone && names.listed) }
  return (
    <>
      <ChoiceControl {...props} value={value} choices={gone ? [missing, ...choices] : choices} />
      {value === '' || gone ? null : <Opening to={to} id={value} />}
    </>
  )
}
