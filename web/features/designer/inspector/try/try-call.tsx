import { Button, chakra } from '@chakra-ui/react'
import { Play } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useDesigner } from '../../live/designer.ts'
import { useNames } from '../../live/names-context.ts'
import { useForm } from '../form-context.ts'
import { PanelSection } from '../panel/panel-section.tsx'
import { CallResult } from './call-result.tsx'
import { FailureNote } from './failure-note.tsx'
import { picked } from './picked.ts'
import { SampleFields } from './sample-fields.tsx'
import type { TriedCall } from './tried.ts'
import { TriedResult } from './tried-result.tsx'
import { useKnownVariables } from './use-known-variables.ts'
import { useReadVariables } from './use-read-variables.ts'
import { useSamples } from './use-samples.ts'
import { useTry } from './use-try.ts'
import { writtenTexts } from './written-text.ts'

const SENT = ['methodType', 'url', 'headers', 'input', 'formData', 'timeout'] as const

/** Makes a block's call from the server, with values that a person makes up. */
export const TryCall = () => {
  const { t } = useTranslation('designer')
  const { node } = useForm()
  const { mayEdit } = useDesigner()
  const { bot } = useNames()
  const { known } = useKnownVariables()
  const { values } = useSamples(known)
  const { properties } = node
  const sends = properties.methodType !== 'get'
  const texts = writtenTexts(properties, {
    text: ['url'],
    json: sends ? ['input'] : [],
    pairs: sends ? ['headers', 'formData'] : ['headers'],
  })
  const names = useReadVariables(texts, bot?.expressionparser ?? 'Jexl')
  const { isRunning, result, run } = useTry<TriedCall>('call')
  if (!mayEdit) return null
  return (
    <PanelSection title={t('try.title')}>
      <SampleFields names={names} />
      <Button
        size="sm"
        variant="outline"
        alignSelf="start"
        loading={isRunning}
        disabled={properties.url === ''}
        onClick={() => run(picked(properties, SENT), picked(values, names))}
      >
        <Play size={14} aria-hidden />
        {t('try.send')}
      </Button>
      {properties.oauthConfigName === '' ? null : (
        <chakra.p fontSize="xs" color="fg.muted">
          {t('try.noOauth')}
        </chakra.p>
      )}
      <TriedResult result={result}>
        {result?.request === undefined ? null : (
          <code className="pl-asked">
            <b>{result.request.method}</b> {result.request.url}
          </code>
        )}
        {result?.failure === undefined ? null : <FailureNote failure={result.failure} />}
        {result?.answer === undefined ? null : <CallResult answer={result.answer} time={result.time} />}
      </TriedResult>
    </PanelSection>
  )
}
