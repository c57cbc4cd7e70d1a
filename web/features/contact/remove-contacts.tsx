import { Box, Button, HStack, Text } from '@chakra-ui/react'
import { UserMinus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { ErrorLine } from '#web/components/error-state.tsx'
import { ConfirmDialog } from '#web/components/modal.tsx'
import { numberText } from '#web/format/number.ts'
import { useContactJob } from './contact-job.tsx'
import type { ContactHolder } from './holder.ts'

interface Props {
  readonly holder: ContactHolder
  /** Ids of the chosen contacts. */
  readonly chosen: ReadonlySet<string>
  readonly total: number
  onClear(): void
}

/** Removes the chosen contacts, or all of them, from a campaign or a list. */
export const RemoveContactsBar = ({ holder, chosen, total, onClear }: Props) => {
  const { t } = useTranslation('contact')
  const { can } = useSession()
  const [asked, setAsked] = useState<'chosen' | 'all'>()
  const { progress, isRunning, error, start } = useContactJob('bulk', onClear)
  if (!can('deletecontact') || (chosen.size === 0 && !isRunning && error === undefined)) return null
  const remove = async () => {
    const what = asked === 'all' ? { all: true as const } : { contacts: [...chosen] }
    await start(() => http.post('/contact/removal', { body: { ...holder.of, ...what, confirm: 'CONFIRM' } }))
  }
  return (
    <Box px={{ base: '3', md: '6' }} py="2.5" borderTopWidth="1px" bg="bg.surface">
      <ErrorLine text={error} />
      <HStack gap="2" flexWrap="wrap">
        <Text role="status" flex="1 1 140px" textStyle="dense" color="fg.muted">
          {progress ?? t('bulk.chosen', { count: chosen.size, shown: numberText(chosen.size) })}
        </Text>
        <Button variant="ghost" disabled={isRunning} onClick={onClear}>
          {t('bulk.clear')}
        </Button>
        {total > chosen.size ? (
          <Button variant="outline" disabled={isRunning} onClick={() => setAsked('all')}>
            {t('bulk.all', { count: total, shown: numberText(total) })}
          </Button>
        ) : null}
        <Button variant="solid" colorPalette="danger" loading={isRunning} onClick={() => setAsked('chosen')}>
          <UserMinus size={15} aria-hidden="true" />
          {t('bulk.do', { count: chosen.size, shown: numberText(chosen.size) })}
        </Button>
      </HStack>
      {asked === undefined ? null : (
        <ConfirmDialog
          title={t('bulk.title', {
            count: asked === 'all' ? total : chosen.size,
            shown: numberText(asked === 'all' ? total : chosen.size),
          })}
          action={t('bulk.verb')}
          icon={<UserMinus size={18} aria-hidden="true" />}
          onConfirm={remove}
          onClose={() => setAsked(undefined)}
        >
          {t(`bulk.text.${holder.kind}`)}
        </ConfirmDialog>
      )}
    </Box>
  )
}
