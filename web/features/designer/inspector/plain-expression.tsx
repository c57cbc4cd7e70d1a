import type { EditedLanguage } from '#web/expression/expression-text.ts'
import { TextControl } from '#web/form/control/text-control.tsx'
import { ExpressionText } from './shared-text.tsx'
import { SHARED } from './shared-value.ts'
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
  const common = { text, id, describedBy, language, single, onFocus }
  return <ExpressionText {...common} code={false} rows={1} />
}

/** What is evaluated but replaced whole: with the completion and the checks of expressions. */
export const PlainExpression = (props: PlainExpressionProps) =>
  props.disabled ? <TextControl {...SHARED} {...props} /> : <Editor {...props} />
