import { useTranslation } from 'react-i18next'
import { useNames } from '../../live/names-context.ts'
import { useForm } from '../form-context.ts'
import { PanelSection } from '../panel/panel-section.tsx'
import { SampleFields } from './sample-fields.tsx'
import { useReadVariables } from './use-read-variables.ts'
import { writtenTexts } from './written-text.ts'

/** The values from which each line's result is made; the results stand beside the lines. */
export const TryAssign = () => {
  const { t } = useTranslation('designer')
  const { node } = useForm()
  const { bot } = useNames()
  const names = useReadVariables(
    writtenTexts(node.properties, { pairs: ['variables'] }),
    bot?.expressionparser ?? 'Jexl',
  )
  if (names.length === 0) return null
  return (
    <PanelSection title={t('try.samples')}>
      <SampleFields names={names} />
    </PanelSection>
  )
}
