import { useTranslation } from 'react-i18next'
import { isObject } from '#schemas/json.ts'
import { useForm } from '../../inspector/form-context.ts'
import { stringOf } from '../../inspector/shared-value.ts'
import { useNames } from '../../session/flow-names.ts'
import { PanelSection } from '../panel/panel-section.tsx'
import { SampleFields } from '../try-out/sample-fields.tsx'
import { type TemplateSource, useReadVariables } from '../try-out/use-read-variables.ts'

/** Sample values for each line's result; the results appear beside the lines. */
export const TryAssign = () => {
  const { t } = useTranslation('designer')
  const { node } = useForm()
  const { bot } = useNames()
  const { variables } = node.properties
  const lines = (Array.isArray(variables) ? variables : []).filter(isObject)
  const texts = lines.map(
    ({ name, value }): TemplateSource => ({ text: stringOf(value), kind: 'text', sets: stringOf(name).trim() }),
  )
  const names = useReadVariables(texts, bot?.expressionparser ?? 'Jexl')
  if (names.length === 0) return null
  return (
    <PanelSection title={t('try.samples')}>
      <SampleFields names={names} />
    </PanelSection>
  )
}
