import { Box, Button, HStack } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import type { RowOf } from '#schemas/row.ts'
import { ErrorLine } from '#web/components/error-state.tsx'
import { Page } from '#web/page/page.tsx'
import { CampaignGate } from './campaign-gate.tsx'
import { ContactForm } from './contact-form.tsx'
import { useCampaignReturn } from './use-campaign-return.ts'
import { useSaveContact } from './use-save-contact.ts'

const Shown = ({ campaign }: { readonly campaign: RowOf<'campaign'> }) => {
  const { t } = useTranslation('contact')
  const { t: ts } = useTranslation('shell')
  const navigate = useNavigate()
  const { values, errors, failed, isBusy, change, save, clear } = useSaveContact(campaign.id)
  const addresses = useCampaignReturn(campaign.id)
  const back = addresses.isOfStep ? addresses.campaign : addresses.contacts
  const add = async (isLast: boolean) => {
    if (!(await save())) return
    if (isLast) return void navigate(back)
    clear()
    document.querySelector<HTMLElement>('[data-autofocus]')?.focus()
  }
  return (
    <Page title={t('add.title')} name={campaign.name} width={840}>
      <form
        noValidate
        onSubmit={event => {
          event.preventDefault()
          void add(true)
        }}
      >
        <Box borderWidth="1px" borderRadius="lg" bg="bg.surface" p={{ base: '4', md: '5' }}>
          <ContactForm campaign={campaign} values={values} errors={errors} onChange={change} />
        </Box>
        {failed === undefined ? null : (
          <Box mt="3">
            <ErrorLine text={failed} />
          </Box>
        )}
        <HStack mt="4" gap="2" justify="flex-end" flexWrap="wrap">
          <Button variant="ghost" asChild>
            <Link to={back}>{ts('cancel')}</Link>
          </Button>
          <Button disabled={isBusy} onClick={() => void add(false)}>
            {t('add.another')}
          </Button>
          <Button variant="solid" type="submit" loading={isBusy}>
            {t('add.do')}
          </Button>
        </HStack>
      </form>
    </Page>
  )
}

/** /campaignmanagement/contact/add/{campaign}: one contact, by hand. */
export const AddContactPage = () => (
  <CampaignGate permission="createcontact">{campaign => <Shown campaign={campaign} />}</CampaignGate>
)
