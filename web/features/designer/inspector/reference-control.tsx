import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { ReferenceField } from '#schemas/flow/block-field.ts'
import { useWords } from '../canvas/words.ts'
import { useDesigner } from '../live/designer.ts'
import { type FlowNames, siblingsQuery } from '../live/flow-names.ts'
import { useNames } from '../live/names-context.ts'
import { plainTitle } from '../model/label.ts'
import { useStoreValue } from '../store.ts'
import { useForm } from './form-context.ts'
import { type Choice, ChoiceControl } from './plain-control.tsx'

interface ReferenceProps {
  readonly id: string
  readonly to: ReferenceField['to']
  readonly value: string
  readonly disabled: boolean
  readonly describedBy?: string | undefined
  readonly onWrite: (value: string) => void
}

const named = (items: readonly { id: string; name: string }[] | undefined): Choice[] =>
  (items ?? []).map(({ id, name }) => ({ value: id, label: name }))

const choicesOf = (to: Exclude<ReferenceField['to'], 'block'>, names: FlowNames): readonly Choice[] => {
  switch (to) {
    case 'dialog':
      return named(names.dialogs)
    case 'handler':
      return named(names.handlers)
    case 'dialogtask':
      return named(names.tasks)
    case 'variableschema':
      return named(names.schemas)
    case 'bot':
      return named(names.bot === undefined ? [] : [names.bot])
    case 'variable':
      // Variables are named, not numbered.
      return (names.variables ?? []).map(({ name }) => ({ value: name, label: name }))
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

/** Chooses one of the things that exist; what is gone stays shown by its id. */
export const ReferenceControl = ({ to, ...props }: ReferenceProps) => {
  const { t } = useTranslation('designer')
  const names = useNames()
  const { node } = useForm()
  // The dialog of another task is chosen among that task's.
  const task = to === 'dialog' && typeof node.properties.task === 'string' ? node.properties.task : ''
  const others = useQuery(siblingsQuery('dialog', task === '' ? undefined : task)).data?.items
  const blocks = useBlocks(to === 'block')
  const choices = to === 'block' ? blocks : others !== undefined ? named(others) : choicesOf(to, names)
  const gone = props.value !== '' && !choices.some(choice => choice.value === props.value)
  const missing = {
    value: props.value,
    label: to === 'variable' ? props.value : t('inspector.missing', { name: props.value }),
  }
  return <ChoiceControl {...props} choices={gone ? [missing, ...choices] : choices} />
}
