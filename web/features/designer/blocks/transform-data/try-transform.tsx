import { chakra } from '@chakra-ui/react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Outcome } from '#domain/expression/engine.ts'
import { isPathRule } from '#domain/expression/template-check.ts'
import { setField } from '#domain/flow/document/edit.ts'
import type { Json } from '#schemas/event.ts'
import { evaluator } from '#web/expression/evaluator.ts'
import { findingMessageKey } from '#web/expression/expression-text.ts'
import { useForm } from '../../inspector/form-context.ts'
import { stringOf } from '../../inspector/shared-value.ts'
import { useDesigner } from '../../session/designer.ts'
import { OWN_EDIT } from '../../session/edit/edit-actions.ts'
import { useNames } from '../../session/flow-names.ts'
import { PanelSection } from '../panel/panel-section.tsx'
import { JsonTree } from '../try-out/json-tree.tsx'
import { SampleFields } from '../try-out/sample-fields.tsx'
import { PlainValue } from '../try-out/trial-result.tsx'
import { useReadVariables } from '../try-out/use-read-variables.ts'
import { useSamples } from '../try-out/use-samples.ts'
import { useKnownVariables } from '../try-out/use-trial-inputs.ts'

/** Data may also be given as text that holds JSON. */
const dataOf = (value: unknown): Json => {
  if (typeof value !== 'string') return (value ?? null) as Json
  try {
    return JSON.parse(value) as Json
  } catch {
    return value
  }
}

interface Step {
  readonly input?: Outcome<unknown>
  readonly output?: Outcome<unknown>
}

/** Result of a transformation of sample values, step by step. */
const useTransformed = (input: string, rule: string, values: Readonly<Record<string, Json>>): Step => {
  const { bot } = useNames()
  const parser = bot?.expressionparser ?? 'Jexl'
  const pathParser = bot?.jsonpathparser ?? 'JSONPath'
  const [step, setStep] = useState<Step>({})
  useEffect(() => {
    let isLeft = false
    const transform = async () => {
      if (input.trim() === '') return setStep({})
      const taken = await evaluator.evaluate({
        kind: 'template',
        text: input,
        template: 'text',
        parser,
        context: values,
      })
      if (isLeft) return
      if (!taken.ok || rule.trim() === '') return setStep({ input: taken })
      const data = dataOf(taken.value)
      const source = rule.trim()
      const output = await evaluator.evaluate(
        isPathRule(source)
          ? { kind: 'path', parser: pathParser, source, input: data }
          : { kind: 'expression', engine: parser, source, context: { ...values, input: data } },
      )
      if (!isLeft) setStep({ input: taken, output })
    }
    void transform()
    return () => {
      isLeft = true
    }
  }, [input, rule, values, parser, pathParser])
  return step
}

const shown = (value: unknown): string => JSON.stringify(value, null, 2) ?? '–'

/** The data that a rule is applied to, what it gives, and a path by a click on either. */
export const TryTransform = () => {
  const { t } = useTranslation('designer')
  const { node } = useForm()
  const { room, mayEdit } = useDesigner()
  const { bot } = useNames()
  const { known } = useKnownVariables()
  const { values } = useSamples(known)
  const input = stringOf(node.properties.input)
  const rule = stringOf(node.properties.rule)
  const names = useReadVariables([{ text: input, kind: 'text' }], bot?.expressionparser ?? 'Jexl')
  const { input: taken, output } = useTransformed(input, rule, values)
  if (taken === undefined) return null
  const use = (path: string) => setField(room.doc, node.id, ['rule'], path, OWN_EDIT)
  return (
    <PanelSection title={t('try.result')}>
      <SampleFields names={names} />
      {taken.ok ? (
        <JsonTree
          label={t('try.data')}
          value={dataOf(taken.value)}
          parser={bot?.jsonpathparser ?? 'JSONPath'}
          onUse={mayEdit ? use : undefined}
        />
      ) : null}
      {output === undefined ? null : output.ok ? (
        <div role="status">
          <span className="pl-label-text">{t('try.gives')}</span>
          <PlainValue label={t('try.gives')} text={shown(output.value)} />
        </div>
      ) : (
        <chakra.p role="status" fontSize="xs" color="danger.fg">
          {t(findingMessageKey(output.fault), { name: output.fault.name ?? '' })}
        </chakra.p>
      )}
    </PanelSection>
  )
}
