import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { FlowModel } from '#domain/flow/document/model.ts'
import { definedVariables } from '#domain/flow/lint/lint-expression.ts'
import { SYSTEM_VARIABLES } from '#domain/flow/variable/variable-use.ts'
import type { JsonObject } from '#schemas/event.ts'
import { isObject, own, textOf } from '#schemas/json.ts'
import { useForm } from '../../inspector/form-context.ts'
import type { SampledVariable } from '../../inspector/sample-values.ts'
import { useStoreValue } from '../../model/store.ts'
import { useDesigner } from '../../session/designer.ts'
import { globalVariablesQuery, useNames } from '../../session/flow-names.ts'
import { type TemplateSource, useReadVariables } from './use-read-variables.ts'
import { useSamples } from './use-samples.ts'

/** A block's texts with placeholders: fields of text, of JSON, and the values of its lists of pairs. */
const writtenTexts = (
  properties: JsonObject,
  fields: { readonly text?: readonly string[]; readonly json?: readonly string[]; readonly pairs?: readonly string[] },
): readonly TemplateSource[] => {
  const pairs = (fields.pairs ?? []).flatMap(name => {
    const held = properties[name]
    if (Array.isArray(held)) return held.filter(isObject).map(({ value }) => value)
    return isObject(held) ? Object.values(held) : []
  })
  return [
    ...(fields.text ?? []).map((name): TemplateSource => ({ text: textOf(properties[name]), kind: 'text' })),
    ...(fields.json ?? []).map((name): TemplateSource => ({ text: textOf(properties[name]), kind: 'json' })),
    ...pairs.map((value): TemplateSource => ({ text: textOf(value), kind: 'text' })),
  ]
}

/** As one text: the same text, the same names. */
const variablesOf = (flow: FlowModel): string =>
  [...definedVariables(flow)]
    .filter(name => name !== '')
    .sort()
    .join('\n')

const newOnes = (names: readonly string[], known: ReadonlySet<string>): readonly SampledVariable[] =>
  [...new Set(names)].filter(name => !known.has(name)).map(name => ({ name }))

/**
 * Every variable that an expression here may read: `declared` are the bot's and global ones, `known` those and what the
 * flow itself sets.
 */
export const useKnownVariables = () => {
  const { bot, variables, allVariables } = useNames()
  const global = useQuery(globalVariablesQuery).data
  const globals = global?.items
  const { canvas } = useDesigner()
  const named = useStoreValue(canvas.flow, variablesOf)
  const declared = useMemo(() => {
    const names = new Set(variables?.map(({ name }) => name))
    const near = (globals ?? []).filter(each => (each.bot ?? bot?.id) === bot?.id).map(({ name }) => name)
    return [...(variables ?? []), ...newOnes([...near, ...SYSTEM_VARIABLES], names)]
  }, [variables, globals, bot])
  const known = useMemo(() => {
    const names = new Set(declared.map(({ name }) => name))
    return [...declared, ...newOnes(named === '' ? [] : named.split('\n'), names)]
  }, [declared, named])
  // A missing variable can only be reported when all are known.
  const isWhole = allVariables && global !== undefined && global.items.length === global.total
  return { known, declared, isWhole }
}

/** The members of these names that an object has. */
export const picked = (object: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(
    names.flatMap(name => {
      const value = own(object, name)
      return value === undefined ? [] : [[name, value]]
    }),
  )

/** Inputs of a try: variables that the block's texts read, and their sample values. */
export const useTrialInputs = (textsAt: (properties: JsonObject) => Parameters<typeof writtenTexts>[1]) => {
  const { node } = useForm()
  const { mayEdit } = useDesigner()
  const { bot } = useNames()
  const { known } = useKnownVariables()
  const { values } = useSamples(known)
  const { properties } = node
  const texts = writtenTexts(properties, textsAt(properties))
  const names = useReadVariables(texts, bot?.expressionparser ?? 'Jexl')
  return { properties, names, values: picked(values, names), mayEdit }
}
