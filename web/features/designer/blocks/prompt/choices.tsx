import { Button, chakra, Textarea } from '@chakra-ui/react'
import { Split } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type OfferedChoice, offeredChoices } from '#domain/flow/card/adaptive-card.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject } from '#schemas/json.ts'
import { lazyModule, useLazyModule } from '#web/lazy-module.ts'
import { useCommands } from '../../commands/commands.ts'
import { useForm } from '../../inspector/form-context.ts'
import { useDesigner } from '../../session/designer.ts'
import { PanelSection } from '../panel/panel-section.tsx'

/** The engine of paths; only options that come from a variable need it. */
const paths = lazyModule(() => import('#domain/expression/json-path.ts'))

const SAMPLE = JSON.stringify(
  [
    { title: 'A', value: 1 },
    { title: 'B', value: 2 },
  ],
  null,
  2,
)

const writtenIn = (options: Json | undefined): readonly OfferedChoice[] =>
  (Array.isArray(options) ? options : [])
    .map(option => (isObject(option) ? option : { label: option, value: '' }))
    .map(({ label, value }) => ({ title: String(label ?? ''), value: String(value ?? '') }))
    .filter(({ title }) => title.trim() !== '')

const Offered = ({ choices, style }: { readonly choices: readonly OfferedChoice[]; readonly style: string }) => (
  <ul className="pl-offered" data-style={style}>
    {choices.map(({ title, value }, place) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: two options may read the same
      <li key={place} title={value === '' || value === title ? undefined : value}>
        {title}
      </li>
    ))}
  </ul>
)

/** Choices the rules extract from a sample, or the error of a rule. */
const useTaken = ({ properties }: { readonly properties: JsonObject }, sample: string) => {
  const { t } = useTranslation('designer')
  const { value: engine } = useLazyModule(paths)
  const title = String(properties.jsonPathRuleForTitleExtractor ?? '')
  const rule = String(properties.jsonPathRuleForValueExtractor ?? '')
  if (engine === undefined || title.trim() === '') return { choices: [] }
  let data: Json
  try {
    data = JSON.parse(sample) as Json
  } catch (error) {
    return { choices: [], wrong: t('inspector.badJson', { what: error instanceof Error ? error.message : '' }) }
  }
  let wrong: string | undefined
  const choices = offeredChoices(data, title, rule, (path, from) => {
    const found = engine.selectAll(path, from)
    if (found.ok) return found.value
    wrong = t('choices.badRule', { rule: path })
    return []
  })
  return { choices, wrong: wrong ?? (choices.length === 0 ? t('choices.nothing') : undefined) }
}

/** Adds a condition that goes another way for each answer. */
const BranchButton = ({ choices }: { readonly choices: readonly OfferedChoice[] }) => {
  const { t } = useTranslation('designer')
  const { node } = useForm()
  const { actions, mayEdit, notice, said } = useDesigner()
  const commands = useCommands()
  if (!mayEdit) return null
  const branch = () => {
    commands.show(actions.branch(node, choices))
    const text = t('choices.branched', { count: choices.length })
    said.set(text)
    notice.set({ text, undo: true })
  }
  return (
    <Button size="xs" variant="outline" mt="2" onClick={branch}>
      <Split size={14} aria-hidden />
      {t('choices.branch')}
    </Button>
  )
}

const FromVariable = ({ style }: { readonly style: string }) => {
  const { t } = useTranslation('designer')
  const { node } = useForm()
  const id = useId()
  const [sample, setSample] = useState(SAMPLE)
  const { choices, wrong } = useTaken(node, sample)
  return (
    <PanelSection title={t('choices.title')}>
      <div>
        <label className="pl-label-text" htmlFor={id}>
          {t('choices.sample')}
        </label>
        <Textarea
          data-trial
          id={id}
          rows={5}
          fontFamily="mono"
          fontSize="xs"
          spellCheck={false}
          value={sample}
          onChange={event => setSample(event.target.value)}
        />
      </div>
      {wrong === undefined ? null : (
        <chakra.p role="status" fontSize="xs" color="warning.fg">
          {wrong}
        </chakra.p>
      )}
      <Offered choices={choices} style={style} />
    </PanelSection>
  )
}

/** Preview of a question's options; those of a variable come from sample data. */
export const Choices = () => {
  const { t } = useTranslation('designer')
  const { node } = useForm()
  const data = isObject(node.properties.data) ? node.properties.data : {}
  const style = isObject(data.config) ? String(data.config.listStyle ?? 'auto') : 'auto'
  const choices = writtenIn(data.options)
  if (data.type !== 'choice') return null
  if (node.properties.isPromptDynamic === true) return <FromVariable style={style} />
  return choices.length === 0 ? null : (
    <PanelSection title={t('choices.title')}>
      <Offered choices={choices} style={style} />
      {node.outputs.some(output => output.choice !== undefined) ? null : <BranchButton choices={choices} />}
    </PanelSection>
  )
}
