import { Button, chakra } from '@chakra-ui/react'
import { CircleAlert, CloudCheck, CloudOff, Eye, LoaderCircle } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useStoreValue } from '../model/store.ts'
import { useDesigner } from '../session/designer.ts'

const Word = chakra('span', {
  base: { display: 'inline-flex', alignItems: 'center', gap: '1.5', fontSize: 'xs', whiteSpace: 'nowrap' },
})

/** Whether this person's work is in the event store, on its way, or kept in this browser. */
export const SaveState = () => {
  const { t } = useTranslation('designer')
  const { room, mayEdit } = useDesigner()
  const status = useStoreValue(room.saving, ({ status: now }) => now)
  const kept = useStoreValue(room.saving, saving => (saving.status === 'offline' ? saving.kept : 0))
  const size = { size: 17, strokeWidth: 1.75, 'aria-hidden': true } as const
  if (!mayEdit && status !== 'offline') {
    return (
      <Word color="fg.muted">
        <Eye {...size} />
        {t('save.viewer')}
      </Word>
    )
  }
  if (status === 'saved') {
    return (
      <Word color="positive.fg" data-save="saved">
        <CloudCheck {...size} />
        {t('save.saved')}
      </Word>
    )
  }
  if (status === 'saving') {
    return (
      <Word color="fg.muted" data-save="saving">
        <LoaderCircle {...size} className="pl-turning" />
        {t('save.saving')}
      </Word>
    )
  }
  if (status === 'offline') {
    return (
      <Word color="warning.fg" data-save="offline">
        <CloudOff {...size} />
        {kept === 0 ? t('save.offline') : t('save.kept', { count: kept })}
      </Word>
    )
  }
  return (
    <Word color="danger.fg" data-save="failed">
      <CircleAlert {...size} />
      <chakra.span hideBelow="2xl">{t('failure.save')}</chakra.span>
      <chakra.span hideFrom="2xl">{t('save.failed')}</chakra.span>
      <Button variant="plain" size="xs" onClick={room.reconnect}>
        {t('again')}
      </Button>
    </Word>
  )
}
