import { Button } from '@chakra-ui/react'
import { Globe } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { DEFAULT_LANGUAGE, isLanguage, LANGUAGE_NAMES, LANGUAGES } from '#schemas/language.ts'
import { ActionMenu } from '#web/components/action-menu.tsx'
import { chooseLanguage } from '#web/i18n/i18n.ts'

/** The default language is the first one. */
const ORDERED = [DEFAULT_LANGUAGE, ...LANGUAGES.filter(language => language !== DEFAULT_LANGUAGE)]

/** The language of the console, remembered in this browser. */
export const LanguageMenu = ({ long = false }: { readonly long?: boolean }) => {
  const { t, i18n } = useTranslation('shell')
  const chosen = isLanguage(i18n.language) ? i18n.language : DEFAULT_LANGUAGE
  return (
    <ActionMenu
      label={t('language')}
      align={long ? 'start' : 'end'}
      actions={ORDERED.map(language => ({
        id: language,
        label: LANGUAGE_NAMES[language],
        checked: language === chosen,
        run: () => void chooseLanguage(language),
      }))}
    >
      <Button variant="ghost" px="2" aria-label={`${t('language')}: ${LANGUAGE_NAMES[chosen]}`}>
        <Globe size={16} strokeWidth={1.75} aria-hidden="true" />
        {long ? LANGUAGE_NAMES[chosen] : chosen.toUpperCase()}
      </Button>
    </ActionMenu>
  )
}
