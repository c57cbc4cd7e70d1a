import { useTranslation } from 'react-i18next'
import { useForm } from '../../inspector/form-context.ts'
import { stringOf } from '../../inspector/shared-value.ts'
import { useDesigner } from '../../session/designer.ts'
import { PanelSection } from '../panel/panel-section.tsx'
import { RunScript } from './run-script.tsx'
import { scriptParameters } from './script-parameters.ts'

/** Runs a block's own script; one that calls a handler has none. */
export const TryScript = () => {
  const { t } = useTranslation('designer')
  const { node } = useForm()
  const { mayEdit } = useDesigner()
  const { quickscript, name, handlerparameters } = node.properties
  const source = stringOf(node.properties.js)
  if (!mayEdit || (quickscript !== true && name !== '') || source.trim() === '') return null
  const listed = Array.isArray(handlerparameters) ? handlerparameters.filter(each => typeof each === 'string') : []
  return (
    <PanelSection title={t('try.title')}>
      <RunScript source={source} parameters={listed.length === 0 ? scriptParameters(source) : listed} />
    </PanelSection>
  )
}
