import { chakra } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import { http } from '#web/api/http.ts'
import { Chip } from '#web/components/chip.tsx'
import { JsonTree } from '../try-out/json-tree.tsx'
import { SampleFields } from '../try-out/sample-fields.tsx'
import { FailureNote, PlainValue, TrialResult } from '../try-out/trial-result.tsx'
import { TryButton } from '../try-out/try-button.tsx'
import { useSamples } from '../try-out/use-samples.ts'
import { useKnownVariables } from '../try-out/use-trial-inputs.ts'
import { type Failure, type TriedScript, type TryInput, useTry } from '../try-out/use-try.ts'
import '../try-out/try.css'

const ATTEMPT = {
  send: (input: TryInput) => http.post('/{kind}/{id}/try/script', input),
  failed: (failure: Failure): TriedScript => ({ time: 0, console: [], failure }),
}
const isWell = ({ error, ended, failure }: TriedScript) =>
  error === undefined && ended === undefined && failure === undefined

const Result = ({ result }: { readonly result: TriedScript }) => {
  const { t } = useTranslation('designer')
  const { error, ended, failure, value, time } = result
  const lines = result.console ?? []
  return (
    <>
      <div className="pl-told">
        <Chip tone={isWell(result) ? 'positive' : 'danger'}>{t(isWell(result) ? 'try.ran' : 'try.failed')}</Chip>
        <span>{t('try.time', { time })}</span>
      </div>
      {failure === undefined ? null : <FailureNote failure={failure} />}
      {ended === undefined ? null : (
        <p className="pl-faults" data-severity="error" role="alert">
          {t(`try.ended.${ended}`)}
        </p>
      )}
      {error === undefined || ended !== undefined ? null : (
        <p className="pl-faults" data-severity="error" role="alert">
          {error.line === undefined ? null : <b>{t('try.line', { line: error.line })}: </b>}
          {error.message}
        </p>
      )}
      {lines.length === 0 ? null : (
        <div>
          <span className="pl-label-text">{t('try.console')}</span>
          <ul className="pl-tree pl-console">
            {lines.map(({ level, text }, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the same line may come twice
              <li key={place} data-level={level}>
                {text}
              </li>
            ))}
          </ul>
        </div>
      )}
      {!isWell(result) ? null : value === undefined ? (
        <chakra.p fontSize="xs" color="fg.muted">
          {t('try.nothing')}
        </chakra.p>
      ) : (
        <div>
          <span className="pl-label-text">{t('try.gives')}</span>
          {typeof value === 'object' && value !== null ? (
            <JsonTree label={t('try.gives')} value={value} parser="JSONPath" />
          ) : (
            <PlainValue label={t('try.gives')} text={JSON.stringify(value)} />
          )}
        </div>
      )}
    </>
  )
}

/** Runs a script on the server, where conversations will run it, with values that a person makes up. */
export const RunScript = ({
  source,
  parameters,
}: {
  readonly source: string
  readonly parameters: readonly string[]
}) => {
  const { t } = useTranslation('designer')
  const { known } = useKnownVariables()
  const { sampleOf } = useSamples(known)
  const { isRunning, result, run } = useTry(ATTEMPT)
  const start = () =>
    run(
      { js: source, handlerparameters: parameters },
      Object.fromEntries(parameters.map(name => [name, sampleOf(name) ?? null])),
    )
  return (
    <>
      <SampleFields names={parameters} />
      <TryButton label={t('try.run')} isRunning={isRunning} disabled={source.trim() === ''} onTry={start} />
      <TrialResult result={result}>{result === undefined ? null : <Result result={result} />}</TrialResult>
    </>
  )
}
