import { chakra } from '@chakra-ui/react'
import type { EditedLanguage } from '#web/expression/expression-text.ts'
import { TextControl } from '#web/form/control/text-control.tsx'
import { useCommands } from '../commands/commands.ts'
import { useForm } from './form-context.ts'
import { ExpressionText } from './shared-text.tsx'
import { SHARED } from './shared-value.ts'
import { stepFromField, stepOf } from './step-from-field.ts'
import { usePlainText } from './use-plain-text.ts'

interface PlainExpressionProps {
  /** Its label has the id `{id}-label`. */
  readonly id: string
  readonly describedBy?: string | undefined
  readonly disabled: boolean
  readonly language: EditedLanguage
  /** One line alone. */
  readonly single?: boolean
  readonly value: string
  readonly onChange: (value: string) => void
}

const Editor = ({ id, describedBy, language, single = false, value, onChange }: PlainExpressionProps) => {
  const { text, onFocus } = usePlainText(value, onChange)
  const commands = useCommands()
  const { node } = useForm()
  const common = { text, id, describedBy, language, single, onFocus }
  const stepBack = (event: React.KeyboardEvent) => {
    const step = stepOf(event.nativeEvent)
    if (step === undefined || !(event.target instanceof HTMLElement)) return
    event.preventDefault()
    event.stopPropagation()
    stepFromField(event.target, node.id, commands[step])
  }
  return (
    <chakra.div onKeyDownCapture={stepBack}>
      <ExpressionText {...common} code={false} rows={1} />
    </chakra.div>
  )
}

/** An evaluated value that is replaced whole: with completion and checks of expressions. */
export const PlainExpression = (props: PlainExpressionProps) =>
  props.disabled ? <TextControl {...SHARED} {...props} /> : <Editor {...props} />
