import type { JsonObject } from '#schemas/event.ts'
import { useForm } from '../../inspector/form-context.ts'
import { useDesigner } from '../../session/designer.ts'
import { useNames } from '../../session/names-context.ts'
import { picked } from './picked.ts'
import { useKnownVariables } from './use-known-variables.ts'
import { useReadVariables } from './use-read-variables.ts'
import { useSamples } from './use-samples.ts'
import { writtenTexts } from './written-text.ts'

/** Inputs of a try: variables that the block's texts read, and their sample values. */
export const useMadeUp = (textsAt: (properties: JsonObject) => Parameters<typeof writtenTexts>[1]) => {
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
