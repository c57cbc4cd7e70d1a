import { Box, Button, HStack, Input, InputGroup, Text } from '@chakra-ui/react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ArrowLeft, Download, FileUp, Search, UserPlus, Users } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { RowOf } from '#schemas/row.ts'
import { fileUrl } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { Pagination } from '#web/entity/list/pagination.tsx'
import { AccountMark, AddPersonas } from '#web/features/simulatednumber/index.ts'
import { numberText } from '#web/format/number.ts'
import { Page } from '#web/page/page.tsx'
import { useAddress } from '#web/page/use-address.ts'
import { useDebouncedValue } from '#web/use-debounced-value.ts'
import { CampaignGate } from './campaign-gate.tsx'
import { shownFields, usedFields } from './contact-fields.ts'
import { type ContactAction, ContactList, useContactName } from './contact-list.tsx'
import { type Contact, contactSearchQuery, contactsQuery } from './contact-query.ts'
import { ForgetContact, RemoveContact } from './contact-removal.tsx'
import { EditContact } from './edit-contact.tsx'
import { useCampaignReturn } from './use-campaign-return.ts'

const SIZES = [25, 50, 100]
const SEARCH_PAUSE_MS = 250

interface AskedContact {
  readonly what: ContactAction
  readonly contact: Contact
}

const AskedDialog = ({
  campaign,
  asked: { what, contact },
  onClose,
}: {
  readonly campaign: RowOf<'campaign'>
  readonly asked: AskedContact
  onClose(): void
}) => {
  const name = useContactName()(contact)
  if (what === 'edit') return <EditContact campaign={campaign} contact={contact} onClose={onClose} />
  const given = { campaign: campaign.id, contact, name, onClose }
  return what === 'remove' ? <RemoveContact {...given} /> : <ForgetContact {...given} />
}

interface PartProps {
  readonly campaign: RowOf<'campaign'>
  onAsk(what: ContactAction, contact: Contact): void
}

const AddButtons = ({
  campaign,
  isFirst = false,
}: {
  readonly campaign: RowOf<'campaign'>
  readonly isFirst?: boolean
}) => {
  const { t } = useTranslation('contact')
  const { can } = useSession()
  const addresses = useCampaignReturn(campaign.id)
  const back =
    addresses.isOfStep && !isFirst ? (
      <Button variant="solid" asChild>
        <Link to={addresses.campaign}>
          <ArrowLeft size={15} aria-hidden="true" />
          {t('back')}
        </Link>
      </Button>
    ) : null
  if (!can('createcontact')) return back
  return (
    <HStack gap="2" flexWrap="wrap" justify={isFirst ? 'center' : 'start'}>
      <AddPersonas campaign={campaign.id} account={campaign.metaaccount} isFurther={!isFirst} />
      <Button asChild>
        <Link to={addresses.add}>
          <UserPlus size={15} aria-hidden="true" />
          {t('add.title')}
        </Link>
      </Button>
      <Button variant={isFirst || back !== null ? 'outline' : 'solid'} asChild>
        <Link to={addresses.map()}>
          <FileUp size={15} aria-hidden="true" />
          {t('upload.do')}
        </Link>
      </Button>
      {back}
    </HStack>
  )
}

/** The contacts that hold what is looked for; the rows are looked through part by part. */
const Found = ({ campaign, search, onAsk }: PartProps & { readonly search: string }) => {
  const { t } = useTranslation('contact')
  const found = useInfiniteQuery(contactSearchQuery(campaign.id, search))
  const list = useQuery(contactsQuery(campaign.id, 1, 25))
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (found.data === undefined) return <RowsSkeleton rows={4} />
  const names = list.data?.names ?? {}
  const contacts = found.data.pages.flatMap(({ items }) => items)
  const fields = shownFields(
    usedFields(campaign),
    contacts.map(contact => contact.fields),
  )
  return (
    <>
      {contacts.length === 0 ? (
        <Box borderWidth="1px" borderRadius="lg" bg="bg.surface">
          <EmptyState icon={Search} title={t(found.hasNextPage ? 'search.nonehere' : 'search.none')} />
        </Box>
      ) : (
        <ContactList contacts={contacts} fields={fields} names={names} onAsk={onAsk} />
      )}
      <Box mt="3" textAlign="center" role="status">
        {found.hasNextPage ? (
          <Button loading={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
            {t('search.more')}
          </Button>
        ) : contacts.length === 0 ? null : (
          <Text textStyle="secondary" color="fg.muted">
            {t('search.all', { count: contacts.length })}
          </Text>
        )}
      </Box>
    </>
  )
}

const Listed = ({ campaign, onAsk }: PartProps) => {
  const { t } = useTranslation('contact')
  const { params, put } = useAddress()
  const page = Math.max(1, Number(params.get('page')) || 1)
  const size = SIZES.find(one => String(one) === params.get('size')) ?? 25
  const list = useQuery(contactsQuery(campaign.id, page, size))
  if (list.error && list.data === undefined)
    return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (list.data === undefined) return <RowsSkeleton rows={6} />
  const { items, total } = list.data
  if (total === 0)
    return (
      <Box borderWidth="1px" borderRadius="lg" bg="bg.surface">
        <EmptyState icon={Users} title={t('empty')} text={t('emptytext')}>
          <AddButtons campaign={campaign} isFirst />
        </EmptyState>
      </Box>
    )
  const fields = shownFields(
    usedFields(campaign),
    items.map(contact => contact.fields),
  )
  return (
    <>
      <ContactList contacts={items} fields={fields} names={list.data.names} onAsk={onAsk} />
      <Pagination
        state={{ page, size }}
        total={total}
        onChange={({ page: next = 1, size: rows = size }) => put({ page: String(next), size: String(rows) })}
      />
    </>
  )
}

const Shown = ({ campaign }: { readonly campaign: RowOf<'campaign'> }) => {
  const { t } = useTranslation('contact')
  const { can } = useSession()
  const [typed, setTyped] = useState('')
  const [asked, setAsked] = useState<AskedContact>()
  const search = useDebouncedValue(typed.trim(), SEARCH_PAUSE_MS)
  const total = useQuery(contactsQuery(campaign.id, 1, 25)).data?.total
  const ask = (what: ContactAction, contact: Contact) => setAsked({ what, contact })
  return (
    <Page
      title={t('title')}
      name={campaign.name}
      beside={
        <>
          {total === undefined ? null : <Text color="fg.muted">{numberText(total)}</Text>}
          <AccountMark account={campaign.metaaccount} />
        </>
      }
      purpose={campaign.name}
      actions={
        <>
          {can('exportcontact') && (total ?? 0) > 0 ? (
            <Button variant="outline" asChild>
              <a href={fileUrl('/contact/export', { query: { campaign: campaign.id } })} download>
                <Download size={15} aria-hidden="true" />
                {t('export')}
              </a>
            </Button>
          ) : null}
          <AddButtons campaign={campaign} />
        </>
      }
    >
      {total === 0 ? null : (
        <InputGroup startElement={<Search size={15} aria-hidden="true" />} maxW={{ md: '360px' }} mb="3">
          <Input
            type="search"
            autoComplete="off"
            maxLength={200}
            aria-label={t('search.label')}
            placeholder={t('search.label')}
            value={typed}
            onChange={event => setTyped(event.target.value)}
          />
        </InputGroup>
      )}
      {search === '' ? (
        <Listed campaign={campaign} onAsk={ask} />
      ) : (
        <Found campaign={campaign} search={search} onAsk={ask} />
      )}
      {asked === undefined ? null : (
        <AskedDialog campaign={campaign} asked={asked} onClose={() => setAsked(undefined)} />
      )}
    </Page>
  )
}

/** /campaignmanagement/contact/{campaign}: recipients of a campaign. */
export const ContactsPage = () => (
  <CampaignGate permission="readcontact">{campaign => <Shown campaign={campaign} />}</CampaignGate>
)
