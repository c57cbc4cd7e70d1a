import { chakra, HStack } from '@chakra-ui/react'
import { History } from 'lucide-react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '#web/components/hint.tsx'
import { PersonAvatar } from '#web/components/person-avatar.tsx'
import { agoOf, momentOf } from '#web/format/time.ts'
import { useWords } from '../../canvas/canvas-context.ts'
import { useDesigner } from '../designer.ts'
import { blockActivityText, useLastBlockActivity } from './block-activity.ts'

interface LastChangeProps {
  readonly block: string
  readonly type: string
  readonly onHistory: () => void
}

/** Last author and time of a block's change, with a link to its history. One line at the foot of the tooltip. */
export const LastChange = memo(({ block, type, onHistory }: LastChangeProps) => {
  const { t } = useTranslation('designer')
  const words = useWords()
  const { canvas } = useDesigner()
  const deed = useLastBlockActivity(block)
  if (deed === undefined) return null
  const { who, did } = blockActivityText(deed, { flow: canvas.flow.get(), type }, t, words)
  const { time } = deed.session.last
  return (
    <HStack gap="2" flex="none" minH="40px" px="14px" py="1" borderTopWidth="1px" fontSize="xs" color="fg.muted">
      <PersonAvatar person={deed.session.authors[0]} size={20} />
      <chakra.span flex="1" minW="0" lineClamp={2}>
        {who} {did} ·{' '}
        <time dateTime={time} title={momentOf(time)}>
          {agoOf(time)}
        </time>
      </chakra.span>
      <IconButton
        icon={History}
        label={t('inspector.history')}
        side="top"
        size="xs"
        minW={{ base: '44px', md: '28px' }}
        minH={{ base: '44px', md: '28px' }}
        onClick={onHistory}
      />
    </HStack>
  )
})
