import { chakra } from '@chakra-ui/react'
import { useEffect, useRef, useState } from 'react'
import * as Y from 'yjs'
import { textDiff } from '#domain/flow/diff/word-diff.ts'
import type { EditedLanguage } from '#web/expression/expression-text.ts'
import { TextControl } from '#web/form/control/line-control.tsx'
import { useCommands } from '../commands/commands.ts'
import { useForm } from './form-context.ts'
import { ExpressionText } from './shared-text.tsx'
import { SHARED, TYPING_PAUSE_MS } from './shared-value.ts'
import { stepOf, undoRedoFromField } from './undo-redo-from-field.ts'

const opened = (value: string): Y.Text => {
  const text = new Y.Doc().getText()
  text.insert(0, value)
  return text
}

const put = (text: Y.Text, value: string) => {
  const diff = textDiff(text.toString(), value)
  if (diff === null) return
  text.doc?.transact(() => {
    if (diff.remove > 0) text.delete(diff.at, diff.remove)
    if (diff.insert !== '') text.insert(diff.at, diff.insert)
  })
}

/**
 * A separate text for a value that is replaced whole, so that the shared text editor can edit it. Input is written
 * after a pause and on blur; others' changes are applied while nobody types.
 */
const usePlainText = (value: string, write: (value: string) => void) => {
  const [text] = useState(() => opened(value))
  const [left, setLeft] = useState(0)
  const isIn = useRef(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const flush = useRef(() => {})
  flush.current = () => {
    clearTimeout(timer.current)
    if (text.toString() !== value) write(text.toString())
  }
  useEffect(() => {
    const hear = () => {
      if (!isIn.current) return
      clearTimeout(timer.current)
      timer.current = setTimeout(() => flush.current(), TYPING_PAUSE_MS)
    }
    text.observe(hear)
    return () => {
      text.unobserve(hear)
      if (isIn.current) flush.current()
    }
  }, [text])
  // biome-ignore lint/correctness/useExhaustiveDependencies: left, a field shows what became of what was typed
  useEffect(() => {
    if (!isIn.current) put(text, value)
  }, [text, value, left])
  const onFocus = (isFocused: boolean) => {
    isIn.current = isFocused
    if (isFocused) return
    flush.current()
    setLeft(left + 1)
  }
  return { text, onFocus }
}

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
    undoRedoFromField(event.target, node.id, commands[step])
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
