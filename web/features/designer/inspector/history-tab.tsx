import { Button, chakra } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import { RotateCcw } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PersonAvatar } from '#web/components/person-avatar.tsx'
import { momentOf } from '#web/format/time.ts'
import { lazyModule, useLazyModule } from '#web/lazy-module.ts'
import { useWords } from '../canvas/canvas-context.ts'
import { flowAtQuery } from '../history/scene.ts'
import { useDesigner } from '../session/designer.ts'
import { useRecentEdits } from '../session/edit-history/use-recent-edits.ts'
import { type BlockActivity, blockActivities, blockActivityText, isMove } from '../session/presence/block-activity.ts'
import { useForm } from './form-context.ts'

/** Brings one block back as it stood at a revision, or only to where it stood; each is one step of one's own. */
const useBringBack = (block: string) => {
  const { t } = useTranslation('designer')
  const client = useQueryClient()
  const { address, actions, notice, said } = useDesigner()
  const [busy, setBusy] = useState(false)
  const say = (text: string, end: { readonly undo?: true; readonly tone?: 'failed' }) => {
    said.set(text)
    notice.set({ text, ...end })
  }
  const bring = async (revision: number, what: 'whole' | 'place') => {
    setBusy(true)
    try {
      const { file } = await client.fetchQuery(flowAtQuery(address, revision))
      const changed = what === 'whole' ? actions.bringBack(block, file) : actions.moveBack(block, file)
      if (changed) say(t(`said.brought.${what}`), { undo: true })
      else say(t('said.brought.same'), {})
    } catch {
      say(t('said.brought.failed'), { tone: 'failed' })
    } finally {
      setBusy(false)
    }
  }
  return { busy, bring: (revision: number, what: 'whole' | 'place') => void bring(revision, what) }
}

/** The comparison of two moments is the history's, which few who draw have open. */
const backPreview = lazyModule(async () => (await import('./back-preview.tsx')).RestoreBlockPreview)

/** Restore options of an edit: the block's previous position, or the whole block before or after it. */
const Back = ({
  deed,
  isNewest,
  block,
}: {
  readonly deed: BlockActivity
  readonly isNewest: boolean
  readonly block: string
}) => {
  const { t } = useTranslation('designer')
  const { busy, bring } = useBringBack(block)
  const [asked, ask] = useState<{ readonly revision: number; readonly time: string }>()
  const { value: Preview } = useLazyModule(backPreview)
  const { kind, session } = deed
  const before = session.first.revision - 1
  const button = (name: 'place' | 'before' | 'then', revision: number) => (
    <Button
      variant="plain"
      size="xs"
      h="6"
      px="0"
      color="accent.fg"
      aria-busy={busy}
      onClick={() => {
        if (name !== 'place') ask({ revision, time: name === 'then' ? session.last.time : session.first.time })
        else if (!busy) bring(revision, 'place')
      }}
    >
      <RotateCcw size={12} aria-hidden />
      {t(`inspector.back.${name}`)}
    </Button>
  )
  return (
    <chakra.span display="flex" gap="3" flexWrap="wrap">
      {isMove(deed) ? button('place', before) : null}
      {isNewest && kind !== 'added' && kind !== 'removed' && !isMove(deed) ? button('before', before) : null}
      {isNewest ? null : button('then', session.last.revision)}
      {asked === undefined || Preview === undefined ? null : (
        <Preview
          block={block}
          revision={asked.revision}
          moment={momentOf(asked.time)}
          onBring={() => bring(asked.revision, 'whole')}
          onClose={() => ask(undefined)}
        />
      )}
    </chakra.span>
  )
}

/** Edits of this block, newest first, with a restore for each state. */
export const HistoryTab = () => {
  const { t } = useTranslation('designer')
  const words = useWords()
  const { mayEdit, canvas } = useDesigner()
  const { node } = useForm()
  const { moments, hasOlder, busy, older } = useRecentEdits(node.id)
  const deeds = useMemo(() => blockActivities(moments ?? [], node.id), [moments, node.id])
  const unseen = moments !== undefined && deeds.length === 0 && hasOlder && !busy
  useEffect(() => {
    if (unseen) older()
  }, [unseen, older])
  return (
    <div className="pl-section">
      {moments !== undefined && deeds.length === 0 && !hasOlder ? (
        <chakra.p fontSize="sm" color="fg.muted">
          {t('inspector.noHistory')}
        </chakra.p>
      ) : null}
      <chakra.ul listStyleType="none" m="0">
        {deeds.map((deed, index) => {
          const { session, kind } = deed
          const { who, did } = blockActivityText(deed, { flow: canvas.flow.get(), type: node.type }, t, words)
          return (
            <chakra.li key={`${session.first.revision} ${kind}`} display="flex" gap="2" py="2" fontSize="sm">
              <PersonAvatar person={session.authors[0]} size={22} />
              <span>
                <b>{who}</b> {did}
                <chakra.small display="block" color="fg.subtle" fontSize="xs">
                  <time dateTime={session.last.time}>{momentOf(session.last.time)}</time> · r{session.last.revision}
                </chakra.small>
                {mayEdit && kind !== 'removed' ? <Back deed={deed} isNewest={index === 0} block={node.id} /> : null}
              </span>
            </chakra.li>
          )
        })}
      </chakra.ul>
      {hasOlder ? (
        <Button size="xs" variant="ghost" mt="1" loading={busy || deeds.length === 0} onClick={older}>
          {t('inspector.older')}
        </Button>
      ) : null}
    </div>
  )
}
