// Library
