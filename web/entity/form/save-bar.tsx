import { Box, Button, HStack, Kbd, Text } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import { useSession } from '#web/api/session.ts'
import { useBottomInset } from '#web/notice/notice.ts'
import { useShortcut } from '#web/shell/use-shortcut.ts'

interface Props {
  /** Words of the changed fields. */
  readonly fields: readonly string[]
  readonly creating: boolean
  readonly busy: boolean
  /** The right to save went while the form was filled in. */
  readonly forbidden?: boolean
  onSave(): void
  onDiscard(): void
}

/** Why nothing can be saved. */
const useBlocked = (forbidden: boolean): string | undefined => {
  const { t } = useTranslation('shell')
  const { user } = useSession()
  if (user.seenby !== undefined) return t('seeas.readonly')
  return forbidden ? t('form.forbidden') : undefined
}

const Unsaved = ({ fields }: Pick<Props, 'fields'>) => {
  const { t } = useTranslation('shell')
  return (
    <>
      <b>{t('form.unsavedcount', { count: fields.length })}</b> {fields.join(', ')}
    </>
  )
}

/** Sticks to the bottom while changes are unsaved: their fields, save and discard. */
export const SaveBar = ({ fields, creating, busy, forbidden = false, onSave, onDiscard }: Props) => {
  const { t } = useTranslation('shell')
  const blocked = useBlocked(forbidden)
  const isBlocked = blocked !== undefined
  useShortcut('mod+s', isBlocked ? () => {} : onSave)
  const bar = useBottomInset()
  return (
    <HStack
      ref={bar}
      as="section"
      aria-label={t('form.unsaved')}
      flex="none"
      minH="52px"
      px={{ base: '3', md: '6' }}
      py="2"
      gap="3"
      bg="bg.surface"
      borderTopWidth="1px"
      animation="slide-from-bottom 160ms, fade-in 160ms"
      flexWrap={{ base: 'wrap', md: 'nowrap' }}
    >
      {creating ? null : <Box boxSize="2" borderRadius="full" bg="accent.solid" flex="none" />}
      <Text
        flex="1"
        textStyle="dense"
        color="fg.muted"
        minW="0"
        lineClamp={{ base: isBlocked ? 4 : 2, md: isBlocked ? 2 : 1 }}
        aria-live="polite"
      >
        {blocked ?? (creating ? t('form.creating') : <Unsaved fields={fields} />)}
      </Text>
      <HStack w={{ base: '100%', md: 'auto' }}>
        <Button variant="ghost" flex={{ base: 1, md: 'none' }} h={{ base: '11', md: '8' }} onClick={onDiscard}>
          {creating ? t('cancel') : t('form.discard')}
        </Button>
        <Button
          variant="solid"
          flex={{ base: 2, md: 'none' }}
          h={{ base: '11', md: '8' }}
          loading={busy}
          disabled={isBlocked}
          onClick={onSave}
        >
          {creating ? t('form.create') : t('form.save')}
          <Kbd hideBelow="md" bg="transparent" color="inherit" borderColor="currentColor" opacity="0.75">
            Ctrl S
          </Kbd>
        </Button>
      </HStack>
    </HStack>
  )
}
