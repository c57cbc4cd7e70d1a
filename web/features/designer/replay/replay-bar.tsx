import { chakra } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Eye, History, Pause, Play, SkipBack, SkipForward } from 'lucide-react'
import { Trans, useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { diffFlows } from '#domain/flow/diff/diff-flows.ts'
import { flowAddress } from '#web/entity/address.ts'
import { type Replay, visitorCode } from '#web/features/conversation/index.ts'
import { durationOf, longDayOf, secondOf } from '#web/format/time.ts'
import { flowDraftQuery, type RevisionFlow } from '../history/scene.ts'
import { ViewBar } from '../mode/designer-bar.tsx'
import { DockButton } from '../mode/dock-button.tsx'
import { ReplayTrack } from './replay-track.tsx'
import { SPEEDS, type Walk } from './use-replay-player.ts'

interface WalkBarProps {
  readonly conversation: Parameters<typeof visitorCode>[0]
  readonly dialog: string | undefined
  readonly onLeave: () => void
}

/** Bar over a viewed conversation: its location, and the exit. */
export const ReplayBar = ({ conversation, dialog, onLeave }: WalkBarProps) => {
  const { t } = useTranslation('replay')
  return (
    <ViewBar dialog={dialog} leave={t('leave')} onLeave={onLeave}>
      <chakra.h1 srOnly>{t('title', { name: visitorCode(conversation) })}</chakra.h1>
      <span className="pt-readonly">
        <Eye size={16} strokeWidth={1.75} aria-hidden />
        {t('readonly')}
      </span>
    </ViewBar>
  )
}

/** Number of blocks of a dialog that changed since. */
const useChanged = (dialog: string, flow: RevisionFlow | undefined): number | undefined => {
  const today = useQuery({ ...flowDraftQuery({ kind: 'dialog', id: dialog }), staleTime: 30_000, retry: false })
  const { data } = useQuery({
    queryKey: ['flow-changed', dialog, flow?.revision, today.dataUpdatedAt],
    queryFn: () => {
      if (flow === undefined || today.data === undefined) return 0
      const { added, changed, removed } = diffFlows(flow.file, today.data.file).nodes
      return added.length + changed.length + removed.length
    },
    enabled: flow !== undefined && today.data !== undefined,
  })
  return data
}

interface WalkBandProps {
  readonly bot: string
  readonly dialog: string
  readonly flow: RevisionFlow | undefined
  readonly revision: number
  /** ISO 8601 UTC. */
  readonly time: string
}

/** Says in ink over the canvas of when this is, which revision ran, and what is another one today. */
export const ReplayBanner = ({ bot, dialog, flow, revision, time }: WalkBandProps) => {
  const { t } = useTranslation('replay')
  const changed = useChanged(dialog, flow)
  return (
    <div className="pt-band pr-band">
      <History size={17} strokeWidth={1.75} aria-hidden />
      <span className="pt-band-text">
        <span>
          <Trans
            t={t}
            i18nKey="band"
            values={{ moment: `${longDayOf(time)}, ${secondOf(time)}`, revision }}
            components={{ b: <b /> }}
          />
        </span>
      </span>
      {changed === undefined ? null : changed === 0 ? (
        <small>{t('unchanged')}</small>
      ) : (
        <Link to={flowAddress('dialog', dialog, { bot, at: revision, compare: 'now' })}>
          {t('changed', { count: changed })}
        </Link>
      )}
    </div>
  )
}

interface WalkDockProps {
  readonly walk: Walk
  readonly replay: Replay
  readonly title: string
  readonly phone: boolean
}

/** The conversation on a line of time, and the keys along it. */
export const ReplayDock = ({ walk, replay, title, phone }: WalkDockProps) => {
  const { t } = useTranslation('replay')
  const { moments, index, at, playing, speed } = walk
  const time = secondOf(new Date(at.time).toISOString())
  const took = at.step !== undefined && at.step.ms >= 1 ? ` · ${durationOf(at.step.ms)}` : ''
  const sentence = at.step === undefined ? t('turn', { turn: at.turn.turn }) : `${title}${took}`
  return (
    <section className="pt-dock" data-region="dock" aria-label={t('dock')}>
      <div className="pt-dock-head">
        <DockButton label={t('back')} keys="←" disabled={index === 0} onClick={() => walk.step(-1)}>
          <SkipBack size={15} aria-hidden />
        </DockButton>
        <DockButton label={t(playing ? 'pause' : 'play')} keys={t('space')} onClick={walk.play}>
          {playing ? <Pause size={15} aria-hidden /> : <Play size={15} aria-hidden />}
        </DockButton>
        <DockButton label={t('forward')} keys="→" disabled={index === moments.length - 1} onClick={() => walk.step(1)}>
          <SkipForward size={15} aria-hidden />
        </DockButton>
        <p className="pt-sentence" role="status">
          <b>{time}</b>
          <span>{sentence}</span>
        </p>
        {phone ? null : <small className="pt-quiet-note">{t('folded')}</small>}
        <fieldset className="pl-seg" data-small aria-label={t('speed')}>
          {SPEEDS.map(one => (
            <button key={one} type="button" aria-pressed={speed === one} onClick={() => walk.setSpeed(one)}>
              {one}×
            </button>
          ))}
        </fieldset>
      </div>
      <ReplayTrack walk={walk} replay={replay} text={`${time}. ${sentence}`} phone={phone} />
    </section>
  )
}
