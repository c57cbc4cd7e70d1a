import { useEffect, useMemo, useState } from 'react'
import type { Fault, Outcome, PathParserName } from '#domain/expression/engine.ts'
import type { Json } from '#schemas/event.ts'
import { useDebouncedValue } from '#web/use-debounced-value.ts'
import { jsonFaultOffset } from './url-fragment.ts'

/** UTF-16 units of the JSON. */
export const MAX_INPUT = 1_000_000
/** Of the result as it is shown. */
const MAX_SHOWN = 200_000
const TYPING_PAUSE_MS = 250

type Evaluation =
  | { readonly state: 'empty' | 'pending' | 'nothing' }
  | { readonly state: 'input'; readonly offset: number }
  | { readonly state: 'fault'; readonly fault: Fault }
  | { readonly state: 'value'; readonly text: string; readonly isCut: boolean; readonly count: number | undefined }

const parse = (text: string): { readonly value: Json } | { readonly offset: number } => {
  try {
    return { value: JSON.parse(text) as Json }
  } catch (error) {
    return { offset: jsonFaultOffset(text, error instanceof Error ? error.message : '') }
  }
}

const shown = (outcome: Outcome<unknown>): Evaluation => {
  if (!outcome.ok) return { state: 'fault', fault: outcome.fault }
  const text = JSON.stringify(outcome.value, null, 2) as string | undefined
  if (text === undefined) return { state: 'nothing' }
  const count = Array.isArray(outcome.value) ? outcome.value.length : undefined
  return { state: 'value', text: text.slice(0, MAX_SHOWN), isCut: text.length > MAX_SHOWN, count }
}

const evaluate = async (parser: PathParserName, source: string, input: Json): Promise<Evaluation> => {
  const { evaluator } = await import('#web/expression/evaluator.ts')
  return shown(await evaluator.evaluate({ kind: 'path', parser, source, input }))
}

/** Evaluates an expression on an input after a pause in typing; in a worker, within its limits. */
export const useEvaluation = (parser: PathParserName, expression: string, input: string): Evaluation => {
  const source = useDebouncedValue(expression, TYPING_PAUSE_MS)
  const text = useDebouncedValue(input, TYPING_PAUSE_MS)
  const parsed = useMemo(() => parse(text), [text])
  const [evaluation, setEvaluation] = useState<Evaluation>({ state: 'pending' })
  useEffect(() => {
    if (source.trim() === '' || text.trim() === '') return setEvaluation({ state: 'empty' })
    if ('offset' in parsed) return setEvaluation({ state: 'input', offset: parsed.offset })
    let isCurrent = true
    void evaluate(parser, source, parsed.value).then(next => {
      if (isCurrent) setEvaluation(next)
    })
    return () => {
      isCurrent = false
    }
  }, [parser, source, text, parsed])
  return evaluation
}
