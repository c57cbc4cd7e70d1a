import { useTranslation } from 'react-i18next'
import { AddStatement } from '#web/nlu/add-statement.tsx'
import type { SimulationView } from './use-simulation.ts'

type Understood = SimulationView['understood'][number]

const width = (share: number): string => `${Math.round(share * 100)}%`
const percent = (share: number): string => `${Math.round(share * 100)} %`

const Ranking = ({ ranking, intent, threshold }: Understood) => (
  <ol className="ps-ranking">
    {ranking.map(({ name, confidence }) => (
      <li key={name} data-best={name === intent || undefined}>
        <span>{name}</span>
        <small>{percent(confidence)}</small>
        <span className="ps-measure" aria-hidden>
          <span className="ps-measured" style={{ width: width(confidence) }} />
          {threshold > 0 ? <i style={{ left: width(threshold) }} /> : null}
        </span>
      </li>
    ))}
  </ol>
)

const Reasons = ({ reasons }: Pick<Understood, 'reasons'>) => {
  const { t } = useTranslation('understanding')
  const shown = (['for', 'against'] as const).filter(side => reasons[side].length > 0)
  return (
    <>
      {shown.map(side => (
        <p key={side} className="ps-reasons" data-side={side}>
          <small>{t(side)}</small>
          {reasons[side].map(({ text }) => (
            <code key={text}>{text}</code>
          ))}
        </p>
      ))}
    </>
  )
}

const Item = ({ item, project }: { readonly item: Understood; readonly project: string | null }) => {
  const { t } = useTranslation('understanding')
  const { by, text, error, intent, threshold, ranking, entities } = item
  return (
    <li className="ps-understood">
      <q>{text}</q>
      <p data-none={intent === null || undefined}>
        {error === undefined ? (intent ?? t('none', { threshold: percent(threshold) })) : t('failed', { code: error })}
        <small>{t(`by.${by}`)}</small>
      </p>
      <Ranking {...item} />
      {entities.length === 0 ? null : (
        <ul className="ps-entities" aria-label={t('entities')}>
          {entities.map(({ name, value, confidence }, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: what was understood does not change
            <li key={place}>
              <small>{name}</small> {typeof value === 'string' ? value : JSON.stringify(value)}{' '}
              <small>{percent(confidence)}</small>
            </li>
          ))}
        </ul>
      )}
      <Reasons reasons={item.reasons} />
      {by === 'nlu' && project !== null ? (
        <AddStatement project={project} text={text} guess={intent ?? ranking[0]?.name} />
      ) : null}
    </li>
  )
}

/** The model's result for each text, newest first, with reasons; each can become an intent's statement. */
export const RecognitionList = ({ view }: { readonly view: SimulationView }) => {
  const { t } = useTranslation('understanding')
  if (view.understood.length === 0) return <p className="ps-muted">{t('nothing')}</p>
  return (
    <ol className="ps-understoods">
      {view.understood
        .map(item => <Item key={`${item.turn} ${item.by}`} item={item} project={view.nluproject} />)
        .toReversed()}
    </ol>
  )
}
