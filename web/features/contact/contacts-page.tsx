import { Box, Button, HStack, Text } from '@chakra-ui/react'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowLeft, Download, FileUp, ListPlus, Search, UserMinus, UserPlus, Users, UserX } from 'lucide-react'
import { Suspense, useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { fileUrl, http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorLine, ErrorState } from '#web/components/error-state.tsx'
import { ConfirmDialog, Modal } from '#web/components/modal.tsx'
import { RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { SearchField } from '#web/components/search-field.tsx'
import { Pagination } from '#web/entity/list/pagination.tsx'
import { ParentTabs } from '#web/entity/parent-tabs.tsx'
import { AccountMark, AddPersonas } from '#web/features/simulatednumber/index.ts'
import { SwitchLabel } from '#web/form/control/choice-control.tsx'
import { numberText } from '#web/format/number.ts'
import { agoOf } from '#web/format/time.ts'
import { lazyPart } from '#web/lazy-module.ts'
import { notice } from '#web/notice/notice.ts'
import { useAttempt } from '#web/notice/use-attempt.ts'
import { Page } from '#web/page/page.tsx'
import { Redirect } from '#web/page/redirect.tsx'
import { useAddress } from '#web/page/use-address.ts'
import { useDebouncedValue } from '#web/timer.ts'
import { shownFields, usedFields } from './contact-fields.ts'
import { useContactJob } from './contact-job.tsx'
import { type ContactAction, ContactList, type Selection, useContactName } from './contact-list.tsx'
import { EditContact } from './edit-contact.tsx'
import { FillList } from './fill-list.tsx'
import {
  CAMPAIGNS,
  type Contact,
  type ContactHolder,
  campaignContactsAddress,
  contactSearchQuery,
  contactsQuery,
  useHolderReturn,
} from './holder.ts'
import { HolderGate } from './holder-gate.tsx'

interface RemovalProps {
  readonly holder: ContactHolder
  readonly contact: Contact
  readonly name: string
  onClose(): void
}

/** Takes a contact out of one campaign. */
const RemoveContact = ({ holder, contact, name, onClose }: RemovalProps) => {
  const { t } = useTranslation('contact')
  const client = useQueryClient()
  const { isBusy, failure: failed, attempt } = useAttempt(t('remove.failed'))
  const remove = () =>
    attempt(async () => {
      await http.delete('/contact/{id}', { params: { id: contact.id }, query: holder.of })
      await client.invalidateQueries({ queryKey: ['contact', holder.id] })
      notice.snack(t(`remove.done.${holder.kind}`, { name }), { tone: 'positive' })
      onClose()
    })
  return (
    <Modal
      icon={<UserMinus size={18} aria-hidden="true" />}
      title={t(`remove.title.${holder.kind}`, { name })}
      onClose={onClose}
      actions={
        <Button variant="solid" data-autofocus="" loading={isBusy} onClick={() => void remove()}>
          {t('remove.do')}
        </Button>
      }
    >
      <Text color="fg.muted">{t(`remove.text.${holder.kind}`)}</Text>
      <ErrorLine text={failed} mt="3" />
    </Modal>
  )
}

/** Makes a person unreadable in every campaign, for good. */
const ForgetContact = ({ holder, contact, name, onClose }: RemovalProps) => {
  const { t } = useTranslation('contact')
  const client = useQueryClient()
  const [suppress, setSuppress] = useState(true)
  const forget = async () => {
    await http.post('/contact/{id}/forget', { params: { id: contact.id }, body: { confirm: 'CONFIRM', suppress } })
    await client.invalidateQueries({ queryKey: ['contact', holder.id] })
    notice.snack(t('forget.done'), { tone: 'positive' })
  }
  return (
    <ConfirmDialog
      title={t('forget.title', { name })}
      action={t('forget.do')}
      icon={<UserX size={18} aria-hidden="true" />}
      onConfirm={forget}
      onClose={onClose}
    >
      {t('forget.text')}
      <SwitchLabel
        label={t('forget.suppress')}
        line={{ mt: '3', color: 'fg' }}
        value={suppress}
        onChange={setSuppress}
      />
    </ConfirmDialog>
  )
}

interface Props {
  readonly holder: ContactHolder
  /** Ids of the chosen contacts. */
  readonly chosen: ReadonlySet<string>
  readonly total: number
  onClear(): void
}

/** Removes the chosen contacts, or all of them, from a campaign or a list. */
const RemoveContactsBar = ({ holder, chosen, total, onClear }: Props) => {
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

const RemoveByRule = lazyPart(async () => (await import('./remove-by-rule.tsx')).RemoveByRule)

const SIZES = [25, 50, 100]
const SEARCH_PAUSE_MS = 250

interface AskedContact {
  readonly what: ContactAction
  readonly contact: Contact
}

const AskedDialog = ({
  holder,
  asked: { what, contact },
  onClose,
}: {
  readonly holder: ContactHolder
  readonly asked: AskedContact
  onClose(): void
}) => {
  const name = useContactName()(contact)
  if (what === 'edit') return <EditContact holder={holder} contact={contact} onClose={onClose} />
  const given = { holder, contact, name, onClose }
  return what === 'remove' ? <RemoveContact {...given} /> : <ForgetContact {...given} />
}

interface PartProps extends Selection {
  readonly holder: ContactHolder
  onAsk(what: ContactAction, contact: Contact): void
}

const AddButtons = ({ holder, isFirst = false }: { readonly holder: ContactHolder; readonly isFirst?: boolean }) => {
  const { t } = useTranslation('contact')
  const { can } = useSession()
  const addresses = useHolderReturn(holder)
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
      {holder.campaign === undefined ? null : (
        <AddPersonas campaign={holder.id} account={holder.campaign.metaaccount} isFurther={!isFirst} />
      )}
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
const Found = ({ holder, search, ...shown }: PartProps & { readonly search: string }) => {
  const { t } = useTranslation('contact')
  const found = useInfiniteQuery(contactSearchQuery(holder, search))
  const list = useQuery(contactsQuery(holder, 1, 25))
  if (found.error && found.data === undefined)
    return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (found.data === undefined) return <RowsSkeleton rows={4} />
  const names = list.data?.names ?? {}
  const contacts = found.data.pages.flatMap(({ items }) => items)
  const fields = shownFields(
    usedFields(holder.campaign ?? {}),
    contacts.map(contact => contact.fields),
  )
  return (
    <>
      {contacts.length === 0 ? (
        <Box borderWidth="1px" borderRadius="lg" bg="bg.surface">
          <EmptyState icon={Search} title={t(found.hasNextPage ? 'search.nonehere' : 'search.none')} hasHelp={false} />
        </Box>
      ) : (
        <ContactList contacts={contacts} fields={fields} names={names} {...shown} />
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

const Listed = ({ holder, ...shown }: PartProps) => {
  const { t } = useTranslation('contact')
  const { params, put } = useAddress()
  const page = Math.max(1, Number(params.get('page')) || 1)
  const size = SIZES.find(one => String(one) === params.get('size')) ?? 25
  const list = useQuery(contactsQuery(holder, page, size))
  if (list.error && list.data === undefined)
    return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (list.data === undefined) return <RowsSkeleton rows={6} />
  const { items, total } = list.data
  if (total === 0)
    return (
      <Box borderWidth="1px" borderRadius="lg" bg="bg.surface">
        <EmptyState icon={Users} title={t('empty')} text={t(`emptytext.${holder.kind}`)}>
          <AddButtons holder={holder} isFirst />
        </EmptyState>
      </Box>
    )
  const fields = shownFields(
    usedFields(holder.campaign ?? {}),
    items.map(contact => contact.fields),
  )
  return (
    <>
      <ContactList contacts={items} fields={fields} names={list.data.names} {...shown} />
      <Pagination
        state={{ page, size }}
        total={total}
        onChange={({ page: next = 1, size: rows = size }) => put({ page: String(next), size: String(rows) })}
      />
    </>
  )
}

/** Number of contacts, and when a list was changed. */
const Size = ({ total, changed }: { readonly total: number; readonly changed: string | null }) => {
  const { t } = useTranslation('contact')
  return (
    <Text color="fg.muted" textStyle="dense">
      {changed === null
        ? numberText(total)
        : `${t('size', { count: total, shown: numberText(total) })} · ${t('listchanged', { ago: agoOf(changed) })}`}
    </Text>
  )
}

const NOBODY: ReadonlySet<string> = new Set()

const Shown = ({ holder }: { readonly holder: ContactHolder }) => {
  const { t } = useTranslation('contact')
  const { can } = useSession()
  const [typed, setTyped] = useState('')
  const [asked, setAsked] = useState<AskedContact>()
  const [isFilling, setFilling] = useState(false)
  const [isRemoving, setRemoving] = useState(false)
  const isList = holder.kind === 'list'
  const search = useDebouncedValue(typed.trim(), SEARCH_PAUSE_MS)
  const { total, changed = null } = useQuery(contactsQuery(holder, 1, 25)).data ?? {}
  const [chosen, setChosen] = useState<ReadonlySet<string>>(NOBODY)
  const clear = useCallback(() => setChosen(NOBODY), [])
  const choose = (ids: readonly string[], isChosen: boolean) =>
    setChosen(before => {
      const next = new Set(before)
      for (const id of ids)
        if (isChosen) next.add(id)
        else next.delete(id)
      return next
    })
  const shown = {
    onAsk: (what: ContactAction, contact: Contact) => setAsked({ what, contact }),
    ...(can('deletecontact') ? { chosen, onChoose: choose } : {}),
  }
  return (
    <Page
      title={isList ? holder.name : t('title')}
      name={holder.name}
      beside={
        <>
          {total === undefined ? null : <Size total={total} changed={isList ? changed : null} />}
          {holder.campaign === undefined ? null : <AccountMark account={holder.campaign.metaaccount} />}
        </>
      }
      {...(isList ? {} : { purpose: holder.name })}
      bar={<RemoveContactsBar holder={holder} chosen={chosen} total={total ?? 0} onClear={clear} />}
      actions={
        <>
          {can('exportcontact') && (total ?? 0) > 0 ? (
            <Button variant="outline" asChild>
              <a href={fileUrl('/contact/export', { query: holder.of })} download>
                <Download size={15} aria-hidden="true" />
                {t('export')}
              </a>
            </Button>
          ) : null}
          {can('deletecontact') && can('readsegment') && (total ?? 0) > 0 ? (
            <Button variant="outline" onClick={() => setRemoving(true)}>
              <UserMinus size={15} aria-hidden="true" />
              {t('byrule.open')}
            </Button>
          ) : null}
          {isList && can('createcontact') ? (
            <Button variant="outline" onClick={() => setFilling(true)}>
              <ListPlus size={15} aria-hidden="true" />
              {t('fill.title')}
            </Button>
          ) : null}
          <AddButtons holder={holder} />
        </>
      }
    >
      {isList ? <ParentTabs entity="contactlist" id={holder.id} /> : null}
      {total === 0 ? null : (
        <SearchField
          label={t('search.label')}
          value={typed}
          onChange={setTyped}
          input={{ autoComplete: 'off', maxLength: 200 }}
          maxW={{ md: '360px' }}
          mb="3"
        />
      )}
      {search === '' ? <Listed holder={holder} {...shown} /> : <Found holder={holder} search={search} {...shown} />}
      {asked === undefined ? null : <AskedDialog holder={holder} asked={asked} onClose={() => setAsked(undefined)} />}
      {isFilling ? <FillList list={holder.id} onClose={() => setFilling(false)} /> : null}
      {isRemoving ? (
        <Suspense fallback={null}>
          <RemoveByRule holder={holder} onClose={() => setRemoving(false)} />
        </Suspense>
      ) : null}
    </Page>
  )
}

/** /campaignmanagement/contact/{campaign}: recipients of a campaign. */
export const ContactsPage = () => (
  <HolderGate permission="readcontact">{holder => <Shown holder={holder} />}</HolderGate>
)

/** /contactlist/{list}: people of a saved list. */
export const ListContactsPage = () => (
  <HolderGate permission="readcontact" entity="contactlist">
    {holder => <Shown holder={holder} />}
  </HolderGate>
)

/** /bot/campaign/contact/{campaign}: another address of a campaign's contacts. */
export const ContactAddress = () => {
  const { id } = useParams()
  return <Redirect to={id === undefined ? CAMPAIGNS : campaignContactsAddress(encodeURIComponent(id))} />
}
