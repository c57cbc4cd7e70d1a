import { chakra } from '@chakra-ui/react'
import type { Editor } from '@tiptap/react'
import { useEffect, useId, useRef, useState } from 'react'
import { isPlainName } from '#domain/flow/variable/variable-use.ts'
import { useKnownVariables } from '../blocks/try-out/use-trial-inputs.ts'
import { memberPreview, membersOf, useTrialResults } from '../blocks/try-out/use-try.ts'
import { useNames } from '../session/flow-names.ts'
import { useCreateVariable } from './use-create-variable.ts'
import { variableAt } from './variable-atom.ts'
import { matchingNames, NEW, NoVariables, VariableOptions } from './variable-options.tsx'

interface Begun {
  /** Positions of the braces and the caret. */
  readonly from: number
  readonly to: number
  readonly typed: string
}

const MAX_DETAIL_LENGTH = 80
/** Placeholder of an existing variable: no name continues after it. */
const ATOM = '\u{fffc}'

/** The variable that is being typed at the caret: braces that nothing has closed yet. */
const begunIn = ({ state }: Editor): Begun | undefined => {
  const { $from, empty } = state.selection
  if (!empty) return undefined
  const before = $from.parent.textBetween(
    Math.max(0, $from.parentOffset - MAX_DETAIL_LENGTH),
    $from.parentOffset,
    '\n',
    ATOM,
  )
  const typed = /\{\{([^{}\n\u{fffc}]*)$/u.exec(before)?.[1]
  return typed === undefined ? undefined : { from: $from.pos - typed.length - 2, to: $from.pos, typed }
}

/** Names and paths that complete the input; NEW if it can become a variable. */
const useOffered = (begun: Begun | undefined, may: boolean) => {
  const { variables = [] } = useNames()
  const tried = useTrialResults(useKnownVariables().known)
  const names = [...new Set(variables.map(({ name }) => name))]
  const wish = begun?.typed.trim() ?? ''
  const members = begun === undefined ? [] : membersOf(tried, wish)
  const found = begun === undefined ? [] : [...matchingNames(names, wish), ...members.map(({ path }) => path)]
  const isNew = begun !== undefined && may && isPlainName(wish) && !names.includes(wish)
  const details = new Map(members.map(({ path, value }) => [path, memberPreview(value)]))
  return { wish, options: isNew ? [...found, NEW] : found, details }
}

/** Completions under a rich text: variables after `{{`, and a new one. */
export const VariableCompletion = ({ editor }: { readonly editor: Editor | null }) => {
  const { may, create, refused } = useCreateVariable()
  const id = useId()
  const [begun, setBegun] = useState<Begun>()
  const [active, setActive] = useState(0)
  const { wish, options, details } = useOffered(begun, may)

  const put = (name: string) => {
    if (editor === null || begun === undefined) return
    const atom = variableAt(editor.state, name) ?? ''
    editor.chain().focus().deleteRange(begun).insertContent(atom).run()
  }
  const choose = async (option: string) => {
    if (option === NEW) await create({ name: wish, datatype: 'string', schema: '' })
    put(option === NEW ? wish : option)
  }
  const onKey = useRef<(event: KeyboardEvent) => void>(() => {})
  onKey.current = event => {
    if (options.length === 0) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const takes = event.key === 'Enter' || (event.key === 'Tab' && wish !== '')
    const option = takes ? options[active] : undefined
    if (step !== undefined) setActive((active + step + options.length) % options.length)
    else if (event.key === 'Escape') setBegun(undefined)
    else if (option !== undefined) void choose(option).catch(() => undefined)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  useEffect(() => {
    if (editor === null) return
    const look = () => {
      const next = begunIn(editor)
      setBegun(held => (held?.typed === next?.typed && held?.from === next?.from ? held : next))
      setActive(0)
    }
    const leave = () => setBegun(undefined)
    const listen = (event: KeyboardEvent) => onKey.current(event)
    const { dom } = editor.view
    editor.on('transaction', look)
    editor.on('blur', leave)
    dom.addEventListener('keydown', listen, true)
    return () => {
      editor.off('transaction', look)
      editor.off('blur', leave)
      dom.removeEventListener('keydown', listen, true)
    }
  }, [editor])
  return (
    <>
      {begun !== undefined && wish === '' && options.length === 0 ? <NoVariables may={may} /> : null}
      {options.length === 0 ? null : (
        <VariableOptions
          id={id}
          options={options}
          active={active}
          wish={wish}
          details={details}
          onPoint={setActive}
          onChoose={option => void choose(option).catch(() => undefined)}
        />
      )}
      {refused === undefined ? null : (
        <chakra.p role="alert" fontSize="xs" color="danger.fg">
          {refused}
        </chakra.p>
      )}
    </>
  )
}
