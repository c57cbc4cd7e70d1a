import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { useGuardedNavigate } from '#web/page/use-address.ts'
import { reviewQuery } from '../report/campaign-query.ts'
import { countText } from '../report/delivery.ts'
import { Frame } from './create-layout.tsx'
import { useChangeCampaign } from './create-query.ts'
import type { PartProps } from './part-props.ts'
import { ReviewStep, sendableOf } from './review-step.tsx'
import { RowPreview } from './row-preview.tsx'

/** The last step: the dry run, and the button that repeats how many get it. */
export const ReviewPart = ({ row, template, other, variables, mapping, done, onGo }: PartProps) => {
  const { t } = useTranslation('campaign')
  const { can } = useSession()
  const followUp = useGuardedNavigate()
  const change = useChangeCampaign()
  const { data } = useQuery(reviewQuery(row.id))
  const [failure, setFailure] = useState<string>()
  const [busy, setBusy] = useState(false)
  const isScheduled = Boolean(row.cron_expression)
  const ready = data === undefined || data.progress !== null ? 0 : sendableOf(data)
  const may = isScheduled || can('startcampaign')
  const send = async () => {
    const goOn = followUp()
    setBusy(true)
    setFailure(undefined)
    try {
      if (!row.enabled) await change(row, { enabled: true })
      if (!isScheduled)
        await http.post('/{entity}/{id}/{action}', {
          params: { entity: 'campaign', id: row.id, action: 'start' },
          body: {},
        })
      await goOn(`/campaign/${row.id}`)
    } catch (error) {
      setFailure(failureOf(error, t('create.notstarted')))
      setBusy(false)
    }
  }
  const verb = t(isScheduled ? 'create.schedule' : 'create.send', { count: ready, shown: countText(ready) })
  return (
    <Frame
      step="review"
      name={row.name}
      account={row.metaaccount}
      done={done}
      aside={<RowPreview {...{ other, variables, mapping }} row={template} lists={row.lists} campaign={row.id} />}
      error={failure}
      busy={busy}
      {...(may && (ready > 0 || isScheduled) ? { verb } : {})}
      onGo={onGo}
      onNext={() => void send()}
    >
      <ReviewStep row={row} onMend={() => onGo('contacts')} />
    </Frame>
  )
}
