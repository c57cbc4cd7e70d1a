import { ImageOff } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '#web/api/http.ts'
import { Chip } from '#web/components/chip.tsx'
import { PanelSection } from '../panel/panel-section.tsx'
import { SampleFields } from '../try-out/sample-fields.tsx'
import { FailureNote, TrialResult } from '../try-out/trial-result.tsx'
import { TryButton } from '../try-out/try-button.tsx'
import { picked, useTrialInputs } from '../try-out/use-trial-inputs.ts'
import { type Failure, type TriedFeed, type TryInput, useTry } from '../try-out/use-try.ts'

const ATTEMPT = {
  send: (input: TryInput) => http.post('/{kind}/{id}/try/feed', input),
  failed: (failure: Failure): TriedFeed => ({ time: 0, failure }),
}
const SENT = ['url', 'headers', 'numberOfNews', 'timeout'] as const

const Picture = ({ address }: { readonly address: string }) => {
  const { t } = useTranslation('designer')
  const [isBroken, setBroken] = useState(false)
  if (address !== '' && !isBroken) {
    const broken = () => setBroken(true)
    return <img className="pl-news-picture" src={address} alt="" referrerPolicy="no-referrer" onError={broken} />
  }
  return (
    <span className="pl-news-picture" role="img" aria-label={t('try.noImage')} title={t('try.noImage')}>
      <ImageOff size={16} aria-hidden />
    </span>
  )
}

interface NewsProps {
  readonly feed: NonNullable<TriedFeed['feed']>
  readonly shows: ReadonlySet<string>
}

/** The items as the block would say them: of each what is ticked. */
const News = ({ feed, shows }: NewsProps) => (
  <ul className="pl-news">
    {feed.items.map(({ title, description, link, image }, place) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: two items may be the same
      <li key={place}>
        {shows.has('Image') ? <Picture address={image} /> : null}
        <div>
          <b>{title}</b>
          {shows.has('Description') ? <p>{description}</p> : null}
          {shows.has('Link') && link !== '' ? (
            <a href={link} target="_blank" rel="noreferrer noopener">
              {link}
            </a>
          ) : null}
        </div>
      </li>
    ))}
  </ul>
)

/** Reads a block's feed from the server, with values that a person makes up. */
export const TryFeed = () => {
  const { t } = useTranslation('designer')
  const { properties, names, values, mayEdit } = useTrialInputs(() => ({ text: ['url'], pairs: ['headers'] }))
  const { isRunning, result, run } = useTry(ATTEMPT)
  if (!mayEdit) return null
  const shows = new Set(Array.isArray(properties.rssItems) ? properties.rssItems.map(String) : [])
  return (
    <PanelSection title={t('try.title')}>
      <SampleFields names={names} />
      <TryButton
        label={t('try.read')}
        isRunning={isRunning}
        disabled={properties.url === ''}
        onTry={() => run(picked(properties, SENT), values)}
      />
      <TrialResult result={result}>
        {result?.status === undefined ? null : (
          <div className="pl-told">
            <Chip tone={result.feed === undefined ? 'danger' : 'positive'}>{result.status}</Chip>
            <span>{t('try.time', { time: result.time })}</span>
            {result.feed === undefined ? null : <span>{t('try.news', { count: result.feed.items.length })}</span>}
          </div>
        )}
        {result?.failure === undefined ? null : <FailureNote failure={result.failure} />}
        {result?.feed === undefined ? null : <News feed={result.feed} shows={shows} />}
      </TrialResult>
    </PanelSection>
  )
}
