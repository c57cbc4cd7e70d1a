import { Textarea } from '@chakra-ui/react'
import { useCallback, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import * as Y from 'yjs'
import { fieldLanguage } from '#domain/expression/template-check.ts'
import { textDiff } from '#domain/flow/diff/word-diff.ts'
import { openText } from '#domain/flow/document/edit.ts'
import { type FieldPath, fieldAt } from '#domain/flow/document/location.ts'
import { blockOf } from '#schemas/blocks/registry.ts'
import type { EditedLanguage } from '#web/expression/expression-text.ts'
import { type LazyModule, useLazyModule } from '#web/lazy-module.ts'
import { useDesigner } from '../session/designer.ts'
import { OWN_EDIT } from '../session/edit/edit-actions.ts'
import { useForm } from './form-context.ts'
import { expressionField, scriptField } from './lazy-editor.ts'

interface TextAreaProps {
  readonly text: Y.Text
  readonly id: string
  readonly code: boolean
  /** Lines at rest; it grows with its text. */
  readonly rows: number
  readonly readOnly?: boolean
  /** One line alone. */
  readonly single?: boolean
  readonly describedBy?: string | undefined
  readonly onFocus?: (isFocused: boolean) => void
}

const MAX_ROWS = 16

/** A plain text that several people type in at once; the caret stays with its words when others type before it. */
const TextArea = ({ text, id, code, rows, readOnly = false, single, describedBy, onFocus }: TextAreaProps) => {
  const { undo } = useDesigner()
  const { doc } = text
  const area = useRef<HTMLTextAreaElement>(null)
  const caret = useRef<readonly [Y.RelativePosition, Y.RelativePosition] | undefined>(undefined)
  const subscribe = useCallback(
    (listener: () => void) => {
      text.observe(listener)
      return () => text.unobserve(listener)
    },
    [text],
  )
  const value = useSyncExternalStore(subscribe, () => text.toString())

  // biome-ignore lint/correctness/useExhaustiveDependencies: the caret is put back after each change of the text
  useLayoutEffect(() => {
    const element = area.current
    const kept = caret.current
    if (doc === null || element === null || kept === undefined || document.activeElement !== element) return
    const [start, end] = kept.map(place => Y.createAbsolutePositionFromRelativePosition(place, doc)?.index ?? 0)
    element.setSelectionRange(start ?? 0, end ?? 0)
  }, [value])

  const remember = () => {
    const element = area.current
    if (element === null) return
    const at = (index: number) => Y.createRelativePositionFromTypeIndex(text, index)
    caret.current = [at(element.selectionStart), at(element.selectionEnd)]
  }
  return (
    <Textarea
      ref={area}
      id={id}
      rows={Math.min(MAX_ROWS, Math.max(rows, value.split('\n').length))}
      resize="vertical"
      readOnly={readOnly}
      spellCheck={!code}
      fontFamily={code ? 'mono' : undefined}
      fontSize={code ? 'xs' : undefined}
      aria-describedby={describedBy}
      value={value}
      onSelect={remember}
      onFocus={() => onFocus?.(true)}
      onBlur={() => {
        undo.stop()
        onFocus?.(false)
      }}
      onKeyDown={event => {
        if (!(event.ctrlKey || event.metaKey) || !['z', 'y'].includes(event.key.toLowerCase())) return
        event.preventDefault()
        if (event.key.toLowerCase() === 'y' || event.shiftKey) undo.redo()
        else undo.undo()
      }}
      onChange={event => {
        const typed = single === true ? event.target.value.replaceAll('\n', ' ') : event.target.value
        const diff = textDiff(text.toString(), typed)
        if (diff === null) return
        doc?.transact(() => {
          if (diff.remove > 0) text.delete(diff.at, diff.remove)
          if (diff.insert !== '') text.insert(diff.at, diff.insert)
        }, OWN_EDIT)
        remember()
      }}
    />
  )
}

interface SharedTextProps extends Omit<TextAreaProps, 'text'> {
  readonly block: string
  readonly path: FieldPath
}

/** An editor as soon as it is there, but never exchanged under someone's hands. */
const useLateEditor = <T,>(part: LazyModule<T>) => {
  const { value } = useLazyModule(part)
  const [isTyping, setTyping] = useState(false)
  const [isShown, setShown] = useState(value !== undefined)
  // Decided here and not after the commit: the plain text may get the keyboard between them.
  if (value !== undefined && !isTyping && !isShown) setShown(true)
  return { Editor: isShown ? value : undefined, setTyping }
}

export const ExpressionText = ({ language, ...props }: TextAreaProps & { readonly language: EditedLanguage }) => {
  const { Editor, setTyping } = useLateEditor(expressionField)
  const onFocus = (isFocused: boolean) => {
    setTyping(isFocused)
    props.onFocus?.(isFocused)
  }
  return Editor === undefined ? <TextArea {...props} onFocus={onFocus} /> : <Editor {...props} language={language} />
}

/** A script, with its colours. */
export const ScriptText = (props: TextAreaProps) => {
  const { Editor, setTyping } = useLateEditor(scriptField)
  return Editor === undefined ? <TextArea {...props} onFocus={setTyping} /> : <Editor {...props} />
}

/** The shared text of a block's field. */
export const SharedText = ({ block, path, ...props }: SharedTextProps) => {
  const { room } = useDesigner()
  const { node } = useForm()
  const [text, setText] = useState<Y.Text | null>()
  const key = path.join('\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: a path is the same while its names are
  useEffect(() => {
    const held = openText(room.doc, block, path, 'open')
    setText(held instanceof Y.Text ? held : null)
  }, [room, block, key])
  if (text === undefined) return <span data-pending />
  if (text === null) return null
  const field = fieldAt(node.type, path)
  const category = blockOf(node.type)?.category
  const language = field === undefined || category === undefined ? undefined : fieldLanguage(category, field)
  if (field?.kind === 'code' && field.language === 'javascript') return <ScriptText {...props} text={text} />
  if (language === undefined) return <TextArea {...props} text={text} />
  return <ExpressionText {...props} text={text} language={language} />
}
