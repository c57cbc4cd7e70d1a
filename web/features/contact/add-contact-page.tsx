import { Box, Button, HStack } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { ErrorLine } from '#web/components/error-state.tsx'
import { submits } from '#web/components/submits.ts'
import { Page } from '#web/page/page.tsx'
import { ContactForm, useSaveContact } from './contact-form.tsx'
import { type ContactHolder, useHolderReturn } from './holder.ts'
import { HolderGate } from './holder-gate.tsx'

const Shown = ({ holder }: { readonly holder: ContactHolder }) => {
  const { t } = useTranslation('contact')
  const { t: ts } = useTranslation('shell')
  const navigate = useNavigate()
  const { values, errors, failed, isBusy, change, save, clear } = useSaveContact(holder)
  const addresses = useHolderReturn(holder)
  const back = addresses.isOfStep ? addresses.campaign : addresses.contacts
  const add = async (isLast: boolean) => {
    if (!(await save())) return
    if (isLast) return void navigate(back)
    clear()
    document.querySelector<HTMLElement>('[data-autofocus]')?.focus()
  }
  return (
    <Page title={t('add.title')} name={holder.name} width={840}>
      <form noValidate onSubmit={submits(() => add(true))}>
        <Box borderWidth="1px" borderRadius="lg" bg="bg.surface" p={{ base: '4', md: '5' }}>
          <ContactForm holder={holder} values={values} errors={errors} onChange={change} />
        </Box>
        <ErrorLine text={failed} mt="3" />
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
  <HolderGate permission="createcontact">{holder => <Shown holder={holder} />}</HolderGate>
)

/** /contactlist/add/{list}: the same for a saved list. */
export const AddListContactPage = () => (
  <HolderGate permission="createcontact" entity="contactlist">
    {holder => <Shown holder={holder} />}
  </HolderGate>
)
