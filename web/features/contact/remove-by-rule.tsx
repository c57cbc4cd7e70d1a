import { Button, Stack, Text } from '@chakra-ui/react'
import { UserMinus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readSegmentRule } from '#schemas/segment-rule.ts'
import { http } from '#web/api/http.ts'
import { ConfirmDialog, Modal } from '#web/components/modal.tsx'
import { SegmentRuleControl } from '#web/form/control/segment-rule-control.tsx'
import { ContactJobState, useContactJob } from './contact-job.tsx'
import type { ContactHolder } from './holder.ts'

const EMPTY = JSON.stringify({ all: [{ field: 'nome', op: 'contains', value: '' }] })

/** Removes the contacts that match conditions from a campaign or a list, and says before how many they are. */
export const RemoveByRule = ({ holder, onClose }: { readonly holder: ContactHolder; onClose(): void }) => {
  const { t } = useTranslation('contact')
  const [rule, setRule] = useState(EMPTY)
  const [isAsked, setAsked] = useState(false)
  const { progress, isRunning, error, start } = useContactJob('bulk', onClose)
  const isWhole = readSegmentRule(JSON.parse(rule)).ok
  const remove = () =>
    start(() => http.post('/contact/removal', { body: { ...holder.of, rule: JSON.parse(rule), confirm: 'CONFIRM' } }))
  return (
    <Modal
      width={760}
      icon={<UserMinus size={18} aria-hidden="true" />}
      title={t('byrule.title')}
      onClose={onClose}
      actions={
        <Button
          variant="solid"
          colorPalette="danger"
          loading={isRunning}
          disabled={!isWhole}
          onClick={() => setAsked(true)}
        >
          {t('byrule.do')}
        </Button>
      }
    >
      <Stack gap="4">
        <Text color="fg.muted">{t('byrule.text', { name: holder.name })}</Text>
        <SegmentRuleControl id="remove-by-rule" rows={4} value={rule} onChange={setRule} among={holder.of} />
        <ContactJobState progress={progress} error={error} />
      </Stack>
      {isAsked ? (
        <ConfirmDialog
          title={t('byrule.ask', { name: holder.name })}
          action={t('bulk.verb')}
          icon={<UserMinus size={18} aria-hidden="true" />}
          onConfirm={remove}
          onClose={() => setAsked(false)}
        >
          {t(`bulk.text.${holder.kind}`)}
        </ConfirmDialog>
      ) : null}
    </Modal>
  )
}
