"""The names of the C library: a function of the same name would not compile, or be called in its place."""

_REAL = """
acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh drem erf erfc exp exp10 exp2 expm1 fabs fdim finite
floor fma fmax fmin fmod frexp gamma hypot ilogb isinf isnan j0 j1 jn ldexp lgamma llrint llround log log10 log1p log2
logb lrint lround modf nan nearbyint nextafter nexttoward pow pow10 remainder remquo rint round roundeven scalb scalbln
scalbn significand sin sincos sinh sqrt tan tanh tgamma trunc y0 y1 yn
"""
_COMPLEX = """
cabs cacos cacosh carg casin casinh catan catanh ccos ccosh cexp cimag clog clog10 conj cpow cproj creal csin csinh
csqrt ctan ctanh
"""
_OTHER = """
abort abs accept access alarm aligned_alloc alloca asctime asprintf atexit atof atoi atol atoll bcmp bcopy bind brk
bsearch btowc bzero calloc chdir chmod chown clearerr clock close closedir connect creat ctime daemon dcgettext dgettext
difftime div dprintf dup dup2 endpwent environ erand48 err errno error execl execle execlp execv execve execvp exit
fchmod fclose fcntl fdopen feclearexcept fegetenv fegetexceptflag fegetround feholdexcept feof feraiseexcept ferror
fesetenv fesetexceptflag fesetround fetestexcept feupdateenv fflush ffs ffsl ffsll fgetc fgetpos fgets fgetwc fgetws
fileno flock fopen fork fprintf fputc fputs fputwc fputws fread free freopen fscanf fseek fsetpos fstat fsync ftell
ftruncate ftw fwide fwprintf fwrite fwscanf getc getchar getcwd getenv getline getopt getpid gets gettext gettimeofday
getuid getwc getwchar gmtime hcreate htonl htons imaxabs imaxdiv index insque ioctl isalnum isalpha isascii isatty
isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper iswalnum iswalpha iswblank iswcntrl iswctype
iswdigit iswgraph iswlower iswprint iswpunct iswspace iswupper iswxdigit isxdigit kill labs ldiv lfind lgamma_r link
listen llabs lldiv localeconv localtime longjmp lsearch lseek lstat malloc mblen mbrlen mbrtowc mbsinit mbsrtowcs
mbstowcs mbtowc memccpy memchr memcmp memcpy memmove mempcpy memset mkdir mkfifo mknod mktemp mktime mlock mmap mount
mprotect munmap nice ntohl ntohs open opendir optarg optind pause pclose perror personality pipe poll popen
posix_memalign printf psignal putc putchar putenv puts putwc putwchar qsort quick_exit raise rand random read readdir
readlink readv realloc realpath reboot recv remove rename rewind rindex rmdir scanf sched_yield select send setbuf
setenv setjmp setlocale setvbuf shutdown sigaction siglongjmp signal sleep snprintf socket splice sprintf srand srandom
sscanf stat stderr stdin stdout stime stpcpy stpncpy strcasecmp strcat strchr strcmp strcoll strcpy strcspn strdup
strerror strfmon strftime strlen strncasecmp strncat strncmp strncpy strndup strnlen strpbrk strrchr strsignal strspn
strstr strtod strtof strtoimax strtok strtol strtold strtoll strtoul strtoull strtoumax strxfrm swab swprintf swscanf
symlink sync syscall sysconf syslog system tee tempnam tfind time timegm times timezone tmpfile tmpnam toascii tolower
toupper towctrans towlower towupper truncate tsearch twalk tzname tzset ulimit umask umount uname ungetc ungetwc unlink
unsetenv usleep utime vfork vfprintf vfscanf vfwprintf vfwscanf vprintf vscanf vsnprintf vsprintf vsscanf vswprintf
vswscanf vwprintf vwscanf wait waitpid warn wcrtomb wcscat wcschr wcscmp wcscoll wcscpy wcscspn wcsftime wcslen wcsncat
wcsncmp wcsncpy wcspbrk wcsrchr wcsrtombs wcsspn wcsstr wcstod wcstof wcstoimax wcstok wcstol wcstold wcstoll wcstombs
wcstoul wcstoull wcstoumax wcsxfrm wctob wctomb wctrans wctype wmemchr wmemcmp wmemcpy wmemmove wmemset wprintf write
writev wscanf
"""

NAMES = frozenset(_OTHER.split()) | {name + kind for name in (_REAL + _COMPLEX).split() for kind in ("", "f", "l")}
"""the functions and variables of ISO C and POSIX that a program may be linked with"""
