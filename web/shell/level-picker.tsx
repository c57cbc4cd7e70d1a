import { Button, HStack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '#web/api/session.ts'
import { AnchoredPopover } from '#web/components/anchored-popover.tsx'
import { isUnsaved } from '#web/form/unsaved-prompt.tsx'
import { levelsQuery, useChangeLevel } from './level.ts'
import { LevelTree } from './level-tree.tsx'

interface Props {
  readonly anchor: HTMLElement | null
  onClose(): void
}

/** The tree of levels of the toolbar: OK goes there. */
export const LevelPicker = ({ anchor, onClose }: Props) => {
  const { t } = useTranslation('shell')
  const { user } = useSession()
  const levels = useQuery(levelsQuery).data ?? []
  const change = useChangeLevel()
  const [chosen, setChosen] = useState(user.hierarchylevel)
  const level = levels.find(one => one.id === chosen)
  const confirm = () => {
    onClose()
    if (level !== undefined && level.id !== user.hierarchylevel) void change(level)
  }
  return (
    <AnchoredPopover
      anchor={anchor}
      align="end"
      onClose={onClose}
      role="dialog"
      aria-label={t('level.choose')}
      w="400px"
    >
      <LevelTree
        levels={levels}
        chosen={chosen}
        label={t('level.choose')}
        inset="3"
        onChoose={setChosen}
        onEnter={confirm}
      />
      <HStack px="4" py="3" bg="bg" borderTopWidth="1px" justify="flex-end">
        <Text flex="1" textStyle="secondary" color="fg.muted">
          {isUnsaved() ? t('level.unsaved') : ''}
        </Text>
        <Button variant="ghost" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button variant="solid" onClick={confirm} disabled={level === undefined}>
          {t('ok')}
        </Button>
      </HStack>
    </AnchoredPopover>
  )
}
