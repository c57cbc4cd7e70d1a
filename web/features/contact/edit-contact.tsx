import { Box, Button } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { UserPen } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { RowOf } from '#schemas/row.ts'
import { http } from '#web/api/http.ts'
import { ErrorLine } from '#web/components/error-state.tsx'
import { Modal } from '#web/components/modal.tsx'
import { submits } from '#web/components/submits.ts'
import { ContactForm, useSaveContact } from './contact-form.tsx'
import { type Contact, type ContactHolder, campaignHolder } from './holder.ts'

interface EditProps {
  readonly holder: ContactHolder
  readonly contact: Contact
  onClose(): void
}

/** Changes what is known of a contact. */
export const EditContact = ({ holder, contact, onClose }: EditProps) => {
  const { t } = useTranslation('contact')
  const { values, errors, failed, isBusy, change, save } = useSaveContact(holder, contact)
  const submit = async () => {
    if (await save()) onClose()
  }
  return (
    <Modal
      width={640}
      icon={<UserPen size={18} aria-hidden="true" />}
      title={t('edit.title')}
      onClose={onClose}
      actions={
        <Button variant="solid" form="contact" type="submit" loading={isBusy}>
          {t('edit.do')}
        </Button>
      }
    >
      <form id="contact" noValidate onSubmit={submits(submit)}>
        <Box pt="2">
          <ContactForm holder={holder} values={values} errors={errors} onChange={change} />
        </Box>
        <ErrorLine text={failed} mt="3" />
      </form>
    </Modal>
  )
}

interface Props {
  readonly campaign: RowOf<'campaign'>
  /** Id of a contact. */
  readonly contact: string
  onClose(): void
}

/** Changes a contact of which only the id is known. */
export const EditContactById = ({ campaign, contact, onClose }: Props) => {
  const { data } = useQuery({
    queryKey: ['contact', campaign.id, 'one', contact],
    queryFn: ({ signal }) =>
      http.get('/contact/{id}', { params: { id: contact }, query: { campaign: campaign.id }, signal }),
    staleTime: 0,
  })
  return data === undefined ? null : <EditContact holder={campaignHolder(campaign)} contact={data} onClose={onClose} />
}
