import type { NodeModel } from '#domain/flow/model.ts'

/** Bookkeeping of files that no person fills in; the JSON tab shows it. */
const QUIET = new Set(['titleorig', 'valid', 'data.name'])
/** Common to all blocks, but of use in those that ask something alone. */
const ASKING = new Set(['data.type', 'data.options', 'data.text'])

const choice = (node: NodeModel): boolean => {
  const data = node.properties.data
  return (
    typeof data === 'object' && data !== null && !Array.isArray(data) && (data as { type?: unknown }).type === 'choice'
  )
}

/** Fields that wait for another one to say something. */
const when: Readonly<Record<string, (node: NodeModel) => boolean>> = {
  'handler.js': node => node.properties.quickscript === true || node.properties.name === '',
  'handler.name': node => node.properties.quickscript !== true,
  'prompt.data.options': choice,
  'prompt.data.config': choice,
  'prompt.extractFromVariable': node => node.properties.isPromptDynamic === true,
  'prompt.jsonPathRuleForTitleExtractor': node => node.properties.isPromptDynamic === true,
  'prompt.jsonPathRuleForValueExtractor': node => node.properties.isPromptDynamic === true,
  'prompt.overrideIntents': node => node.properties.overrideIntentHandler === true,
  'prompt.intent': node => node.properties.enableSuggestedActions === true,
  'restservice.input': node => node.properties.methodType !== 'get',
  'restservice.formData': node => node.properties.methodType !== 'get',
}

/** Whether a field, named by its dotted path, has a place on the form of this block now. */
export const isShown = (node: NodeModel, name: string): boolean => {
  if (QUIET.has(name)) return false
  if (ASKING.has(name) && node.type !== 'prompt') return false
  return when[`${node.type}.${name}`]?.(node) ?? true
}
